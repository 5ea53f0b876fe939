import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Measured, Order, Report, Tried } from './worker/messages.ts'

/** Somebody else ended the worker, such as a system that has no memory left: nobody knows whether a mutant is to blame. */
export class EndedFromOutside extends Error {
  override readonly name = 'EndedFromOutside'
  override readonly message = 'the worker was ended from outside'
}

/** A process that tries mutants. It ends, and the next order starts another one, when it does not answer in time. */
export class WorkerProcess {
  readonly #tree: string
  readonly #sources: readonly string[]
  #child: ChildProcess | undefined
  #orders = 0

  constructor(tree: string, sources: readonly string[]) {
    this.#tree = tree
    this.#sources = sources.map(source => source.replace(/\.ts$/, '.js'))
  }

  measure(files: readonly string[]): Promise<Measured | undefined> {
    return this.#ask({ type: 'measure', files })
  }

  /** Undefined if the worker had to be ended. `isAtLoad`: the mutant is active when the code loads. */
  async try(order: Omit<Extract<Order, { type: 'try' }>, 'type'>, isAtLoad: boolean) {
    // What a run of a test file leaves behind is a copy of its code.
    if (isAtLoad || ++this.#orders > 150) this.end()
    const tried = await this.#ask<Tried>({ type: 'try', ...order }, isAtLoad ? order.mutant : undefined)
    if (tried === undefined || tried.isDirty || isAtLoad) this.end()
    return tried
  }

  /** Undefined between two processes. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  end(): void {
    this.#orders = 0
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #ask<Answer extends Report>(order: Order, active?: string): Promise<Answer | undefined> {
    if (this.#child === undefined && !(await this.#start(active))) {
      if (active === undefined) throw new Error('the code does not load without a mutant')
      return undefined
    }
    this.#child?.send(order)
    return (await this.#answer()) as Answer | undefined
  }

  async #start(active: string | undefined): Promise<boolean> {
    this.#child = fork(join(this.#tree, 'tools/mutation/worker/worker.js'), {
      env: {
        ...process.env,
        TEST_DOORS: 'in process',
        MUTATION_TREE: this.#tree,
        MUTATION_SOURCES: JSON.stringify(this.#sources),
        ...(active !== undefined && { MUTATION_ACTIVE: active }),
      },
      execArgv: ['--max-old-space-size=1500'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return (await this.#answer()) !== undefined
  }

  #answer(): Promise<Report | undefined> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const settle = (report: Report | undefined) => {
        child?.removeAllListeners()
        if (report === undefined) this.end()
        resolve(report)
      }
      child?.on('message', settle)
      // The watchdog's signal, or that of Node when the memory is full.
      child?.on('exit', (code, signal) => {
        if (signal === 'SIGVTALRM' || signal === 'SIGABRT') return settle(undefined)
        this.end()
        reject(
          signal === 'SIGKILL'
            ? new EndedFromOutside()
            : new Error(`the worker ended with ${code ?? signal}`),
        )
      })
    })
  }
}
