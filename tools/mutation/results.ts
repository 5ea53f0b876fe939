import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Result {
  readonly status: 'killed' | 'timeout' | 'survived' | 'not covered'
  readonly killer?: { readonly file: string; readonly test: string; readonly message: string }
  readonly tests: number
  /** Milliseconds that these might use. */
  readonly budget: number
  /** Whether the compiler accepts it: only survivors are compiled. */
  readonly compiles?: boolean
}

export type Outcome = Pick<Result, 'status' | 'killer'>

/** Hashes of test files. */
type Hashes = Readonly<Record<string, string>>

interface Stored {
  readonly tests: readonly Hashes[]
  readonly mutants: Readonly<Record<string, Result>>
}

/** What earlier runs found. A file on disk holds it, so that a run can go on where another one stopped. */
export class Results {
  readonly #path: string
  readonly #tests: Hashes[]
  readonly #mutants: Map<string, Result>
  readonly #now: Hashes
  readonly #budget: number
  #unsaved = 0

  constructor(root: string, path: string, testFiles: readonly string[], budget: number, isFresh: boolean) {
    this.#path = path
    this.#budget = budget
    const stored = isFresh ? undefined : readStored<Stored>(path)
    this.#tests = [...(stored?.tests ?? [])]
    this.#mutants = new Map(Object.entries(stored?.mutants ?? {}))
    this.#now = Object.fromEntries(testFiles.map(file => [file, hash(readFileSync(join(root, file)))]))
    this.#tests.push(this.#now)
  }

  get(key: string): Result | undefined {
    return this.#mutants.get(key)
  }

  /**
   * The test files that can change the result of a mutant: all of them, if it was never tried, if the file that killed
   * it changed, or if it survived a smaller budget. Those that changed since, if it survived this one.
   */
  filesToTry(key: string): 'all' | 'none' | readonly string[] {
    const result = this.#mutants.get(key)
    if (result === undefined) return 'all'
    const then = this.#tests[result.tests] ?? {}
    if (result.killer) return this.#now[result.killer.file] === then[result.killer.file] ? 'none' : 'all'
    if (result.status === 'timeout') return 'none'
    if (result.budget < this.#budget) return 'all'
    const changed = Object.keys(this.#now).filter(file => this.#now[file] !== then[file])
    return changed.length === 0 ? 'none' : changed
  }

  set(key: string, result: Outcome): void {
    this.#mutants.set(key, { ...result, tests: this.#tests.length - 1, budget: this.#budget })
    this.#unsaved++
    if (this.#unsaved >= 10) this.save()
  }

  noteCompiled(key: string, compiles: boolean): void {
    const result = this.#mutants.get(key)
    if (result !== undefined) this.#mutants.set(key, { ...result, compiles })
  }

  keep(isThere: (key: string) => boolean): void {
    for (const key of [...this.#mutants.keys()]) if (!isThere(key)) this.#mutants.delete(key)
  }

  save(): void {
    this.#unsaved = 0
    const stored: Stored = { tests: this.#tests, mutants: Object.fromEntries(this.#mutants) }
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(stored)}\n`)
    renameSync(`${this.#path}.new`, this.#path)
  }
}

export function readStored<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function hash(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex').slice(0, 12)
}
