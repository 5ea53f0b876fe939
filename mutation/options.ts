import { parseArgs } from 'node:util'
import { explainFlags } from '../build/explain-flags.ts'

/** Folders of src/, and how many of their mutants a run tries by default. Undefined means all. */
export const rooms: Readonly<Record<string, number | undefined>> = {
  service: undefined,
  emulator: undefined,
  judges: 500,
}

export interface Options {
  readonly rooms: readonly string[]
  readonly sample: number | undefined
  /** Parts of paths: only mutants of these sources are tried and reported. Empty for all. */
  readonly files: readonly string[]
  readonly seed: number
  /** Milliseconds of the processor for the tests of one mutant. */
  readonly budget: number
  readonly fresh: boolean
  /** Only print what earlier runs found. */
  readonly report: boolean
  /** Puts the table into docs/quality.md. */
  readonly write: boolean
}

export const help = `npm run mutation -- [--room NAME]... [--file PATH]... [--sample N] [--seed N] [--budget MS] [--fresh] [--report] [--write]

  --room NAME  service, emulator or judges; default: all of them
  --file PATH  only mutants of sources whose path contains this, such as journal/ or ban.ts
  --sample N   tries N mutants of each room [judges: 500, the others: all]
  --seed N     chooses the sample [1]
  --budget MS  CPU time in ms that the tests of one mutant may use [4000]; a larger one tries survivors again
  --fresh      forgets what earlier runs found; otherwise only changed code and changed tests are tried again
  --report     prints what earlier runs found, and tries nothing
  --write      puts the table into docs/quality.md; takes no --room, --file or --sample

The run prints every mutant that survived, and a table. You can stop it at any time: the next run goes on.`

export function readOptions(args: readonly string[]): Options | { readonly problem: string } | 'help' {
  let values: ReturnType<typeof parse>
  try {
    values = parse(args)
  } catch (error) {
    return { problem: explainFlags(error, 'mutation') }
  }
  if (values.help) return 'help'
  const unknown = values.room?.filter(room => !Object.hasOwn(rooms, room)) ?? []
  if (unknown.length > 0) return { problem: `there is no room ${unknown.join(', ')}\n\n${help}` }
  const [size, seed] = [values.sample === undefined ? undefined : Number(values.sample), Number(values.seed)]
  if (size !== undefined && !(Number.isInteger(size) && size > 0)) {
    return { problem: '--sample takes a whole number from 1' }
  }
  if (!Number.isSafeInteger(seed)) return { problem: '--seed takes a whole number' }
  const budget = Number(values.budget)
  if (!(budget > 0)) return { problem: '--budget takes milliseconds above 0' }
  const { room = Object.keys(rooms), file: files = [], fresh, report, write } = values
  if (write && (values.room ?? values.file ?? size) !== undefined) {
    return { problem: '--write takes no --room, --file or --sample' }
  }
  return { rooms: room, files, sample: size, seed, budget, fresh, report, write }
}

function parse(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      room: { type: 'string', multiple: true },
      file: { type: 'string', multiple: true },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      budget: { type: 'string', default: '4000' },
      fresh: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return values
}
