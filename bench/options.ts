import { parseArgs } from 'node:util'
import { explainFlags } from '../build/explain-flags.ts'
import type { LoadName } from './load/load.ts'
import type { Measurement } from './measurement.ts'

export interface Options {
  readonly chosen: readonly Measurement[]
  readonly rounds: number
  readonly seconds: number
  readonly load: LoadName | undefined
  readonly write: boolean
}

/** What a run was asked for, or what is wrong with that, or the help. */
export function readOptions(
  args: readonly string[],
  all: readonly Measurement[],
): Options | { readonly help: string } | { readonly problem: string } {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return { problem: explainFlags(error, 'bench') }
  }
  const { values, positionals } = parsed
  if (values.help) return { help: help(all) }
  const unknown = positionals.filter(name => !all.some(measurement => measurement.name === name))
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  if (unknown.length > 0) return { problem: `there is no measurement ${unknown.join(', ')}\n\n${help(all)}` }
  if (!(Number.isInteger(rounds) && rounds > 0)) return { problem: '--rounds takes a whole number from 1' }
  if (!(seconds > 0)) return { problem: '--seconds takes a number above 0' }
  if (values.write && positionals.length > 0) return { problem: '--write is for a run of everything' }
  const { load } = values
  if (load !== undefined && load !== 'wrk' && load !== 'autocannon') {
    return { problem: '--load takes wrk or autocannon' }
  }
  const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  return { chosen, rounds, seconds, load, write: values.write }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      load: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
}

function help(all: readonly Measurement[]): string {
  const width = Math.max(...all.map(({ name }) => name.length))
  return [
    'npm run bench -- [MEASUREMENT...] [--rounds N] [--seconds N] [--load wrk|autocannon] [--write]',
    '',
    ...all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'Without a name, all of them. A round lasts --seconds [2], and there are --rounds [7] of each.',
    '--write puts the figures into docs/performance.md and README.md.',
  ].join('\n')
}
