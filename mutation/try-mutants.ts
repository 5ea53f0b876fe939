import type { TestChoice } from './choose-tests.ts'
import { formatMutant, type Mutant } from './mutants.ts'
import type { Outcome, Results } from './results.ts'
import type { WorkerProcess } from './worker-process.ts'

export async function tryMutants(
  open: readonly Mutant[],
  choice: TestChoice,
  worker: WorkerProcess,
  results: Results,
  log: (line: string) => void,
): Promise<void> {
  let count = 0
  for (const mutant of open) {
    const result = await tryMutant(mutant, results.filesToTry(mutant.key), choice, worker)
    results.set(mutant.key, result)
    if (result.killer) choice.learn(mutant, result.killer.file)
    count++
    log(`${count}/${open.length} ${result.status} ${formatMutant(mutant)}`)
  }
}

/** First with the code as it is loaded, then, for code that runs when it loads, in a process of its own. */
async function tryMutant(
  mutant: Mutant,
  files: ReturnType<Results['filesToTry']>,
  choice: TestChoice,
  worker: WorkerProcess,
): Promise<Outcome> {
  if (files === 'none') throw new Error(`nothing to try for ${mutant.key}`)
  const order = { mutant: mutant.id, hitLimit: choice.hitLimit(mutant) }
  const covering = choice.covering(mutant, files)
  const isAtLoad = choice.isAtLoad(mutant)
  if (covering.tests.length > 0) {
    const attempt = () => worker.try({ ...order, tests: covering.tests, limit: limitOf(covering) }, false)
    const first = await attempt()
    // A dirty process proves nothing: once more in a new one.
    const tried = first?.isDirty ? await attempt() : first
    if (tried === undefined) return { status: 'timeout' }
    if (tried.killer) return { status: 'killed', killer: tried.killer }
  }
  if (!isAtLoad) return { status: covering.tests.length > 0 || files !== 'all' ? 'survived' : 'not covered' }
  const every = choice.every(mutant, files)
  const tried = await worker.try(
    { mutant: mutant.id, hitLimit: undefined, tests: every.tests, limit: limitOf(every) },
    true,
  )
  if (tried === undefined) return { status: 'timeout' }
  return tried.killer ? { status: 'killed', killer: tried.killer } : { status: 'survived' }
}

/** Milliseconds of the processor. */
function limitOf({ ms }: { readonly ms: number }): number {
  return 10_000 + 5 * ms
}
