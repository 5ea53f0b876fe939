import { parseArgs } from 'node:util'
import { explainFlags } from '../build/explain-flags.ts'

export const plants = ['leak', 'lost-count'] as const
export type Plant = (typeof plants)[number]

export interface Options {
  readonly calls: number
  readonly connections: number
  /** Minutes after which the clients send no more calls. */
  readonly minutes: number
  /** A fault in the server that the soak must find. */
  readonly plant: Plant | undefined
}

const sizes = {
  long: { calls: 2_000_000, connections: 5_000, minutes: 45 },
  short: { calls: 20_000, connections: 200, minutes: 10 },
}

/** What a soak was asked for, what is wrong with that, or the help. */
export function readOptions(
  args: readonly string[],
): Options | { readonly help: string } | { readonly problem: string } {
  let values: ReturnType<typeof parse>
  try {
    values = parse(args)
  } catch (error) {
    return { problem: explainFlags(error, 'soak') }
  }
  if (values.help) return { help }
  const usual = values.short ? sizes.short : sizes.long
  const calls = values.calls === undefined ? usual.calls : Number(values.calls)
  const connections = values.connections === undefined ? usual.connections : Number(values.connections)
  const minutes = values.minutes === undefined ? usual.minutes : Number(values.minutes)
  const plant = plants.find(name => name === values.plant)
  if (!(Number.isInteger(calls) && calls >= 20_000))
    return { problem: '--calls takes a whole number from 20000' }
  if (!(Number.isInteger(connections) && connections >= 2 && connections <= 20_000))
    return { problem: '--connections takes a whole number from 2 to 20000' }
  if (!(minutes > 0)) return { problem: '--minutes takes a number above 0' }
  if (values.plant !== undefined && plant === undefined)
    return { problem: `--plant takes ${plants.join(' or ')}` }
  return { calls, connections, minutes, plant }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string' },
      connections: { type: 'string' },
      minutes: { type: 'string' },
      short: { type: 'boolean', default: false },
      plant: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values
}

const help = `npm run soak -- [--short] [--calls N] [--connections N] [--minutes N] [--plant ${plants.join('|')}]

Runs the built command with the journal, the JSON log, --contract warn, --state, readers of metrics and of events, and
lets clients call it. Then it compares all counts of the server with what the clients sent. Exit code 1 if anything
differs, or if memory grows.

  --calls N        how many calls [2000000; with --short 20000]
  --connections N  how many connections stay open [5000; with --short 200]
  --minutes N      when to give up [45; with --short 10]
  --plant FAULT    plants a fault in the server: the soak must fail`
