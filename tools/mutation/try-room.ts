import { join } from 'node:path'
import { TestChoice } from './choose-tests.ts'
import { measure } from './measure.ts'
import { formatMutant, type Mutant } from './mutants.ts'
import type { Outcome, Results } from './results.ts'
import type { Room } from './room.ts'
import { writeTree } from './tree.ts'
import type { ChosenTests, Tried } from './worker/messages.ts'
import { EndedFromOutside, WorkerProcess } from './worker-process.ts'

/** Tries the mutants that are new, and those whose tests changed. */
export async function tryRoom(root: string, room: Room, log: (line: string) => void): Promise<void> {
  const { sources, testFiles, instrumented, mutants, results } = room
  const open = mutants.filter(({ key }) => results.filesToTry(key) !== 'none')
  log(`${room.room}: ${mutants.length} mutants, ${open.length} to try`)
  if (open.length === 0) return

  const tree = join(root, `tools/mutation/.cache/tree-${room.room}`)
  await writeTree(root, tree, ['tools/mutation/worker/worker.ts', ...sources, ...testFiles], instrumented)
  const worker = new WorkerProcess(tree, sources)
  try {
    const measured = await measure(tree, testFiles, worker)
    const { tests, leftOut } = measured
    const ms = tests.reduce((sum, test) => sum + test.ms, 0)
    for (const { file, test, reason } of leftOut) log(`left out: ${file} > ${test}: ${reason}`)
    log(`${tests.length} tests take ${Math.ceil(ms / 1000)} s; left out: ${leftOut.length}`)
    const choice = new TestChoice(measured, room.all, room.budget)
    // A survivor is tried again last, and before it what needs a process of its own.
    const cost = (mutant: Mutant) => (results.get(mutant.key) ? 2 : 0) + (choice.isAtLoad(mutant) ? 1 : 0)
    const ordered = open.toSorted((a, b) => cost(a) - cost(b))
    await tryMutants(ordered, choice, worker, results, log)
  } finally {
    worker.end()
    results.save()
  }
}

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

/** Milliseconds of the processor that the tests may take without a mutant. */
const controlLimit = 60_000

/** Tests that kill must pass without a mutant, in a new process, when they run alone. */
class Control {
  readonly #worker: WorkerProcess
  readonly #known = new Map<string, boolean>()

  constructor(worker: WorkerProcess) {
    this.#worker = worker
  }

  async passes(tests: ChosenTests): Promise<boolean> {
    const name = JSON.stringify(tests)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#worker.end()
    const tried = await this.#worker.try(
      { mutant: '', tests: [tests], hitLimit: undefined, limit: controlLimit },
      false,
    )
    const passes = tried !== undefined && tried.killer === undefined
    this.#known.set(name, passes)
    return passes
  }
}
