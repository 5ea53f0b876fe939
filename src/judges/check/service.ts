import type { Judge } from '../contract/judge.ts'
import type { Answer } from '../walkthrough/target.ts'
import { checkEveryReply } from './every-reply.ts'
import type { Ledger } from './ledger.ts'
import { pause, readStanding, type Standing, waitOf } from './pace.ts'
import { type CheckRequest, type Seen, seenAs, showsKey } from './request.ts'

/** Calls that may be made are used up, or time that may be waited: what is left of the run is not done. */
export class OutOfBudget extends Error {}

export interface ServiceOptions {
  readonly send: (request: CheckRequest) => Promise<Answer>
  readonly judge: Judge
  readonly ledger: Ledger
  readonly plan: string
  readonly maxCalls: number
  /** Of those, calls that nobody may make before they are released. */
  readonly reserved: number
  /** The longest single wait for a window to reset, in milliseconds. */
  readonly maxWaitMs: number
  /** The time here, in milliseconds since the epoch. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly onCall: (calls: number) => void
}

/** A service that hangs would keep a run for half a minute each time. */
const mostSilences = 3

/** The service under test: each call is paid for from the budget, paced by what the service says, and judged. */
export class Service {
  readonly #options: ServiceOptions
  /** `listPets 200`, as they were seen. */
  readonly seen = new Set<string>()
  #standing: Standing | undefined
  #calls = 0
  /** Calls in a row that were not answered. */
  #silences = 0
  #reserved: number

  constructor(options: ServiceOptions) {
    this.#options = options
    this.#reserved = options.reserved
  }

  get calls(): number {
    return this.#calls
  }

  /** Calls that may still be made. */
  get left(): number {
    return this.#options.maxCalls - this.#reserved - this.#calls
  }

  /** Lets the reserved calls be made. */
  release(): void {
    this.#reserved = 0
  }

  get standing(): Standing | undefined {
    return this.#standing
  }

  /**
   * Answers undefined when no answer came. A call that meets 429 is made again when its time has come. Rejects with
   * OutOfBudget.
   */
  async call(request: CheckRequest): Promise<Seen | undefined> {
    const { now } = this.#options
    await this.#wait(pause(this.#standing, now()))
    const seen = await this.callNow(request)
    if (seen?.status !== 429) return seen
    // Of callers without a key, too, who have a quota of their own (A04). Who is told of no time does not try again.
    const ms = waitOf(seen.headers) ?? pause(readStanding(seen, now()), now())
    if (ms === 0) return seen
    await this.#wait(ms)
    return this.callNow(request)
  }

  /** Makes a call whatever remains. */
  async callNow(request: CheckRequest): Promise<Seen | undefined> {
    const { send, judge, ledger, plan, now } = this.#options
    if (this.left <= 0) throw new OutOfBudget(`--max-calls ${this.#options.maxCalls} are made`)
    this.#calls += 1
    this.#options.onCall(this.#calls)
    const answer = await send(request)
    if ('fails' in answer) {
      ledger.expect('answers-at-all', { request }, `no whole answer came (${answer.fails})`)
      this.#silences += 1
      if (this.#silences === mostSilences)
        throw new OutOfBudget(`${mostSilences} calls in a row were not answered`)
      return undefined
    }
    this.#silences = 0
    const seen = seenAs(request, answer)
    ledger.expect('answers-at-all', seen, undefined)
    const before = this.#standing
    const standing = readStanding(seen, now())
    if (showsKey(request) && standing !== undefined) this.#standing = standing
    const operation = await checkEveryReply(seen, { judge, ledger, plan, now: now(), before })
    if (operation !== undefined) this.seen.add(`${operation} ${seen.status}`)
    return seen
  }

  async #wait(ms: number): Promise<void> {
    const { maxWaitMs, wait } = this.#options
    if (ms === 0) return
    if (ms > maxWaitMs) {
      throw new OutOfBudget(`the limit is used up for ${Math.ceil(ms / 1_000)} s, longer than --max-wait`)
    }
    await wait(ms)
  }
}
