import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Position {
  readonly line: number
  readonly column: number
}

/** A mutant as Stryker reports it. Lines and columns count from 0. */
export interface StrykerMutant {
  readonly id: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: { readonly start: Position; readonly end: Position }
}

interface SourceFile {
  readonly name: string
  readonly content: string
  readonly mutate: boolean
}

interface Instrumenter {
  instrument(
    files: readonly SourceFile[],
    options: object,
  ): Promise<{ readonly files: readonly SourceFile[]; readonly mutants: readonly StrykerMutant[] }>
}

/** Puts every mutant of the files into their code, each behind a switch. */
export async function instrument(root: string, files: readonly Omit<SourceFile, 'mutate'>[]) {
  const log = () => {}
  const logger = {
    isTraceEnabled: () => false,
    isDebugEnabled: () => false,
    trace: log,
    debug: log,
    info: log,
    warn: log,
  }
  const instrumenter = await loadInstrumenter(root, logger)
  return instrumenter.instrument(
    files.map(file => ({ ...file, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [], mutator: { plugins: null } },
  )
}

/** Not a dependency of the project: only `npm run mutation` installs it, into this folder. */
async function loadInstrumenter(root: string, logger: object): Promise<Instrumenter> {
  const folder = join(root, 'mutation')
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (
    !existsSync(installed) ||
    statSync(installed).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs
  ) {
    process.stderr.write('installing the instrumenter …\n')
    const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
    if (status !== 0) throw new Error('npm ci failed in mutation/')
  }
  const entry = join(folder, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js')
  const { Instrumenter } = await import(pathToFileURL(entry).href)
  return new Instrumenter(logger)
}
