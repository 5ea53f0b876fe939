import type { TestChoice } from './choose-tests.ts'
import { Control } from './control.ts'
import { formatMutant, type Mutant } from './mutants.ts'
import type { Outcome, Results } from './results.ts'
import type { Tried } from './worker/messages.ts'
import { EndedFromOutside, type WorkerProcess } from './worker-process.ts'

export async function tryMutants(
  open: readonly Mutant[],
  choice: TestChoice,
  worker: WorkerProcess,
  results: Results,
  log: (line: string) => void,
): Promise<void> {
  const control = new Control(worker)
  let count = 0
  for (const mutant of open) {
    count++
    const say = (status: string) => log(`${count}/${open.length} ${status} ${formatMutant(mutant)}`)
    try {
      const result = await tryMutant(mutant, results.filesToTry(mutant.key), { choice, worker, control, log })
      results.set(mutant.key, result)
      if (result.killer) choice.learn(mutant, result.killer.file)
      say(result.status)
    } catch (error) {
      // It stays open: the next run tries it again.
      if (!(error instanceof EndedFromOutside)) throw error
      say(error.message)
    }
  }
}

interface Tools {
  readonly choice: TestChoice
  readonly worker: WorkerProcess
  readonly control: Control
  readonly log: (line: string) => void
}

/** First with the code as it is loaded, then, for code that runs when it loads, in a process of its own. */
async function tryMutant(
  mutant: Mutant,
  files: ReturnType<Results['filesToTry']>,
  tools: Tools,
): Promise<Outcome> {
  if (files === 'none') throw new Error(`nothing to try for ${mutant.key}`)
  const { choice, worker } = tools
  const isCovered = choice.covering(mutant, files).tests.length > 0
  const hitLimit = choice.hitLimit(mutant)
  const found = await untilWitnessed(tools, async () => {
    const { tests, ms } = choice.covering(mutant, files)
    if (tests.length === 0) return nobody
    const attempt = () => worker.try({ mutant: mutant.id, tests, hitLimit, limit: limitOf(ms) }, false)
    const first = await attempt()
    // A dirty process proves nothing: once more in a new one.
    return first?.isDirty ? await attempt() : first
  })
  if (found !== undefined) return found
  if (!choice.isAtLoad(mutant)) return { status: isCovered || files !== 'all' ? 'survived' : 'not covered' }
  const atLoad = await untilWitnessed(tools, () => {
    const { tests, ms } = choice.every(mutant, files)
    return worker.try({ mutant: mutant.id, tests, hitLimit: undefined, limit: limitOf(ms) }, true)
  })
  return atLoad ?? { status: 'survived' }
}

const nobody: Tried = { type: 'tried', isDirty: false }

/** Tries a mutant until the tests that fail pass without it. Undefined if none are left. Other tests are left out. */
async function untilWitnessed(
  { choice, control, log }: Tools,
  attempt: () => Promise<Tried | undefined>,
): Promise<Outcome | undefined> {
  for (;;) {
    const tried = await attempt()
    if (tried === undefined) return { status: 'timeout' }
    const { killer, witness, isDirty } = tried
    if (killer === undefined || witness === undefined) return undefined
    if (!isDirty || (await control.passes(witness))) return { status: 'killed', killer }
    log(`left out: ${killer.file} > ${killer.test}: fails without a mutant when it runs alone`)
    choice.leaveOut(witness)
  }
}

/** Milliseconds of the processor. */
function limitOf(ms: number): number {
  return 10_000 + 5 * ms
}
