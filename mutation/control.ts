import type { ChosenTests } from './worker/messages.ts'
import type { WorkerProcess } from './worker-process.ts'

/** Milliseconds of the processor that the tests may take without a mutant. */
const limit = 60_000

/** Tests that kill must pass without a mutant, in a new process, when they run alone. */
export class Control {
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
    const tried = await this.#worker.try({ mutant: '', tests: [tests], hitLimit: undefined, limit }, false)
    const passes = tried !== undefined && tried.killer === undefined
    this.#known.set(name, passes)
    return passes
  }
}
