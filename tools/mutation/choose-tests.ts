import type { Mutant } from './mutants.ts'
import type { ChosenTests, Measured, MeasuredTest } from './worker/messages.ts'

interface Chosen {
  readonly tests: readonly ChosenTests[]
  /** Milliseconds that they take without a mutant. */
  readonly ms: number
}

/** Chooses the tests that run a mutant's code: near ones first, then those of files that killed its neighbours. */
export class TestChoice {
  readonly #testsOf = new Map<string, MeasuredTest[]>()
  readonly #hits = new Map<string, Map<string, number>>()
  readonly #near = new Map<string, Map<string, number>>()
  readonly #atLoad: ReadonlySet<string>
  readonly #sources: ReadonlyMap<string, string>
  readonly #budget: number

  /**
   * `budget`: milliseconds of the processor for the tests of one mutant, unless they are near. More tests could only kill
   * more.
   */
  constructor(measured: Measured, mutants: readonly Mutant[], budget: number) {
    this.#budget = budget
    this.#atLoad = new Set(measured.atLoad)
    this.#sources = new Map(mutants.map(({ id, file }) => [id, file]))
    const fileOf = new Map<string, string>()
    for (const test of measured.tests) {
      fileOf.set(test.id, test.file)
      add(this.#testsOf, test.file, test)
    }
    for (const [scope, hits] of Object.entries(measured.coverage)) {
      const file = fileOf.get(scope) ?? scope
      for (const [mutant, count] of Object.entries(hits)) {
        const counts = this.#hits.get(mutant) ?? new Map<string, number>()
        this.#hits.set(mutant, counts.set(scope, count))
        this.#favour(this.#sources.get(mutant), file, 0.001)
      }
    }
  }

  /** True if the mutant's code runs when its file loads. */
  isAtLoad({ id }: Mutant): boolean {
    return this.#atLoad.has(id)
  }

  /** So many runs of the mutant's code mean an endless loop. */
  hitLimit({ id }: Mutant): number {
    const counts = [...(this.#hits.get(id)?.values() ?? [])]
    return 1000 + 100 * counts.reduce((sum, count) => sum + count, 0)
  }

  covering(mutant: Mutant, files: 'all' | readonly string[]): Chosen {
    const hits = this.#hits.get(mutant.id)
    return this.#choose(mutant, files, ({ id, file }) => hits?.has(id) === true || hits?.has(file) === true)
  }

  every(mutant: Mutant, files: 'all' | readonly string[]): Chosen {
    return this.#choose(mutant, files, () => true)
  }

  learn({ file }: Mutant, killer: string): void {
    this.#favour(file, killer, 1)
  }

  leaveOut({ file, ids }: ChosenTests): void {
    const left = this.#testsOf.get(file)?.filter(({ id }) => !ids.includes(id)) ?? []
    this.#testsOf.set(file, left)
  }

  #favour(source: string | undefined, file: string, by: number): void {
    if (source === undefined) return
    const near = this.#near.get(source) ?? new Map<string, number>()
    this.#near.set(source, near.set(file, (near.get(file) ?? 0) + by))
  }

  #choose(
    { file: source }: Mutant,
    files: 'all' | readonly string[],
    isWanted: (test: MeasuredTest) => boolean,
  ): Chosen {
    const near = this.#near.get(source)
    const chosen = [...this.#testsOf]
      .filter(([file]) => files === 'all' || files.includes(file))
      .map(([file, tests]) => {
        const wanted = tests.filter(isWanted)
        const ms = wanted.reduce((sum, test) => sum + test.ms, 0)
        const shared = kinship(source, file)
        return {
          file,
          ids: wanted.map(({ id }) => id),
          ms,
          isNear: shared > 0,
          favour: ((near?.get(file) ?? 0) + shared) / (ms + 5),
        }
      })
      .filter(({ ids }) => ids.length > 0)
      .sort((a, b) => Number(b.isNear) - Number(a.isNear) || b.favour - a.favour)
    let total = 0
    const tests: ChosenTests[] = []
    for (const { file, ids, ms, isNear } of chosen) {
      if (!isNear && tests.length > 0 && total + ms > this.#budget) continue
      total += ms
      tests.push({ file, ids })
    }
    return { tests, ms: total }
  }
}

/**
 * Words that a source's path below its room and its test's path share: `src/service/bans/ban.ts` and
 * `test/api/bans.test.ts`.
 */
function kinship(source: string, test: string): number {
  const words = new Set(wordsOf(source).slice(1))
  return wordsOf(test).filter(word => words.has(word)).length
}

function wordsOf(path: string): readonly string[] {
  return path
    .replace(/\.(?:test\.)?ts$/, '')
    .split(/[/-]/)
    .slice(1)
    .map(word => word.replace(/s$/, ''))
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
