import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

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
  const folder = join(root, 'tools/mutation')
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (
    !existsSync(installed) ||
    statSync(installed).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs
  ) {
    process.stderr.write('installing the instrumenter …\n')
    const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
    if (status !== 0) throw new Error('npm ci failed in tools/mutation/')
  }
  const entry = join(folder, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js')
  const { Instrumenter } = await import(pathToFileURL(entry).href)
  return new Instrumenter(logger)
}

export interface Mutant {
  /** Stryker's number: it changes with every run. */
  readonly id: string
  /** The same from run to run, as long as the function around the mutant does not change. */
  readonly key: string
  readonly file: string
  readonly line: number
  readonly start: number
  readonly mutator: string
  readonly original: string
  readonly replacement: string
}

interface Span {
  readonly start: number
  readonly end: number
}

export function readMutants(root: string, found: readonly StrykerMutant[]): readonly Mutant[] {
  const sources = new Map<
    string,
    { readonly text: string; readonly starts: number[]; readonly spans: Span[] }
  >()
  const seen = new Map<string, number>()
  return found.map(({ id, fileName: file, mutatorName: mutator, replacement, location }) => {
    let source = sources.get(file)
    if (source === undefined) {
      const text = readFileSync(join(root, file), 'utf8')
      source = { text, starts: lineStarts(text), spans: spansOf(text) }
      sources.set(file, source)
    }
    const { text, starts, spans } = source
    const offset = ({ line, column }: Position) => (starts[line] ?? 0) + column
    const [start, end] = [offset(location.start), offset(location.end)]
    const around = spans.find(span => span.start <= start && end <= span.end)
    const original = text.slice(start, end)
    const facts = [file, around && text.slice(around.start, around.end), mutator, original, replacement]
    const name = JSON.stringify(facts)
    const nth = seen.get(name) ?? 0
    seen.set(name, nth + 1)
    const key = createHash('sha1').update(`${name} ${nth}`).digest('hex').slice(0, 16)
    return { id, key, file, line: location.start.line + 1, start, mutator, original, replacement }
  })
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Members of classes, then statements of the module. */
function spansOf(text: string): Span[] {
  const { body } = parseAst(text, { lang: 'ts' })
  const members = body.flatMap(statement => {
    const declared =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    return declared?.type === 'ClassDeclaration' ? declared.body.body : []
  })
  return [...members, ...body].map(({ start, end }) => ({ start, end }))
}

/** The mutants of a sample: one that leaves, because its code changed, does not change the others. */
export function sample(mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] {
  const rank = ({ key }: Mutant) => createHash('sha1').update(`${seed} ${key}`).digest('hex')
  const ranked = mutants.map(mutant => ({ mutant, rank: rank(mutant) }))
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const chosen = new Set(ranked.slice(0, size).map(({ mutant }) => mutant))
  return mutants.filter(mutant => chosen.has(mutant))
}

export function formatMutant({ file, line, mutator, original, replacement }: Mutant): string {
  const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 80)
  return `${file}:${line} ${mutator}: ${short(original)} → ${short(replacement)}`
}
