import { parseArgs } from 'node:util'
import { explainFlags } from '../build/explain-flags.ts'
import { parseDuration } from '../src/base/time/duration.ts'
import type { Lane } from './lane.ts'

export interface Options {
  readonly lanes: readonly Lane[]
  readonly seed: number
  /** Leads to one case of one lane. */
  readonly path: string | undefined
  /** Inputs of all lanes together. */
  readonly runs: number
  /** Milliseconds for all lanes together. */
  readonly ms: number | undefined
  /** Lanes that run at the same time. */
  readonly jobs: number
}

type Chosen = Options | { readonly help: string } | { readonly problem: string }

/** What is asked for, or what is wrong with that, or the help. */
export function readOptions(args: readonly string[], all: readonly Lane[]): Chosen {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return { problem: explainFlags(error, 'fuzz') }
  }
  const { values, positionals } = parsed
  if (values.help) return { help: help(all) }
  const unknown = positionals.filter(name => !all.some(lane => lane.name === name))
  if (unknown.length > 0) return { problem: `there is no lane ${unknown.join(', ')}\n\n${help(all)}` }
  const lanes = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const [seed, runs, jobs] = [Number(values.seed ?? 0), Number(values.runs), Number(values.jobs)]
  const ms = values.time === undefined ? undefined : parseDuration(values.time)
  const { path } = values
  if (!isCount(runs)) return { problem: '--runs takes a whole number from 1' }
  if (!isCount(jobs)) return { problem: '--jobs takes a whole number from 1' }
  if (!Number.isInteger(seed) || Math.abs(seed) > 2 ** 31)
    return { problem: '--seed takes a whole number of 32 bits' }
  if (values.time !== undefined && !ms) return { problem: '--time takes a duration such as 90s or 15m' }
  if (path !== undefined && !/^\d+(?::\d+)*$/.test(path))
    return { problem: '--path takes what a failure printed' }
  if (path !== undefined && (positionals.length !== 1 || values.seed === undefined))
    return { problem: '--path needs one lane and its --seed' }
  return { lanes, seed: values.seed === undefined ? drawSeed() : seed, path, runs, ms, jobs }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0
}

function drawSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      path: { type: 'string' },
      runs: { type: 'string', default: '1000000' },
      time: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  })
}

function help(all: readonly Lane[]): string {
  const width = Math.max(...all.map(({ name }) => name.length))
  return [
    'npm run fuzz -- [LANE...] [--runs N] [--time T] [--seed N] [--path P] [--jobs N]',
    '',
    ...all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'Without a name, all lanes. They draw --runs [1000000] inputs, in fixed shares, or as many as --time allows.',
    '--seed repeats a run, with --path a single case: a failure prints both. --jobs [2] lanes run at a time.',
    'Exit codes: 0 nothing found, 1 something found, 2 wrong usage.',
  ].join('\n')
}
