import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftOut } from '../../test/support/lanes.ts'
import { instrument, type Mutant, readMutants, sample } from './mutants.ts'
import { Results } from './results.ts'

interface Asked {
  readonly room: string
  /** Parts of paths. Empty for all sources. */
  readonly files: readonly string[]
  /** Mutants of the sample. Undefined for all of them. */
  readonly size: number | undefined
  readonly seed: number
  /** Milliseconds of the processor for the tests of one mutant. */
  readonly budget: number
  readonly isFresh: boolean
}

export interface Room extends Asked {
  readonly sources: readonly string[]
  readonly testFiles: readonly string[]
  readonly instrumented: ReadonlyMap<string, string>
  readonly all: readonly Mutant[]
  readonly mutants: readonly Mutant[]
  readonly results: Results
}

/**
 * Folders of src/: the tests that reach them without leaving the process, and how many of their mutants a run tries. All,
 * unless given.
 */
export const rooms: Readonly<
  Record<string, { readonly tests: readonly string[]; readonly sample?: number }>
> = {
  service: { tests: ['api', 'control', 'docs', 'doors', 'emulator', 'judges/profile', 'library', 'service'] },
  emulator: { tests: ['api', 'control', 'doors', 'emulator', 'judges', 'library', 'service'] },
  control: {
    tests: ['control', 'docs/faults.test.ts', 'doors/admin', 'judges/walkthrough', 'library/testing'],
    sample: 500,
  },
  judges: {
    tests: [
      'cli/log',
      'cli/walkthroughs/server-target.test.ts',
      'control/situation',
      'docs/fidelity.test.ts',
      'docs/findings.test.ts',
      'doors/admin',
      'doors/proxy',
      'emulator/known-keys.test.ts',
      'judges',
      'library/testing',
    ],
    sample: 500,
  },
  base: { tests: ['base', 'control', 'judges', 'service'], sample: 500 },
  doors: { tests: ['api', 'docs', 'doors', 'library/testing'], sample: 500 },
  library: { tests: ['api', 'docs', 'doors', 'library'], sample: 500 },
  cli: { tests: ['cli', 'docs', 'judges'], sample: 500 },
}

/** The worker cannot load it, so no mutant of it is tried. */
const onlyInVitest = 'src/library/runners/vitest.ts'

/** A room's mutants, and what earlier runs found about them. */
export async function readRoom(root: string, asked: Asked): Promise<Room> {
  const { room, files, size, seed, budget, isFresh } = asked
  const sources = typescriptFiles(root, `src/${room}`).filter(file => file !== onlyInVitest)
  const testFiles = quickTests(root, room)
  const made = await instrument(
    root,
    sources.map(name => ({ name, content: readFileSync(join(root, name), 'utf8') })),
  )
  const all = readMutants(root, made.mutants)
  const keys = new Set(all.map(({ key }) => key))
  const results = new Results(
    root,
    join(root, `tools/mutation/.cache/${room}.json`),
    testFiles,
    budget,
    isFresh,
  )
  results.keep(key => keys.has(key))
  const sampled = size === undefined ? all : sample(all, size, seed)
  return {
    ...asked,
    sources,
    testFiles,
    instrumented: new Map(made.files.map(({ name, content }) => [name, content])),
    all,
    mutants:
      files.length === 0 ? sampled : sampled.filter(({ file }) => files.some(part => file.includes(part))),
    results,
  }
}

function typescriptFiles(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map(path => `${folder}/${path}`)
    .sort()
}

function quickTests(root: string, room: string): readonly string[] {
  const slow = new Set(Object.values(leftOut).flat())
  return (rooms[room]?.tests ?? [])
    .flatMap(path => (path.endsWith('.ts') ? [`test/${path}`] : typescriptFiles(root, `test/${path}`)))
    .filter(file => file.endsWith('.test.ts') && !slow.has(file))
}
