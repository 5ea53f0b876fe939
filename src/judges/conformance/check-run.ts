import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { failedCheck } from '../contract/contract-report.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'
import * as answers from './answers.ts'
import { type CheckId, checks } from './checks.ts'
import { checkedCall, History, Ledger } from './ledger.ts'
import { type CheckRequest, hasKey } from './requests.ts'
import {
  type Budget,
  type CheckOptions,
  createBudget,
  createSender,
  OutOfBudget,
  type Sender,
} from './sender.ts'

/** One part of a run. Parts come by value: first what breaks clients. Rejects with OutOfBudget. */
export interface Part {
  readonly name: string
  readonly makes: readonly CheckId[]
  readonly act: (run: CheckRun) => Promise<void>
  /** The flag that the part needs: it creates animals, or uses up the quota. */
  readonly needs?: '--allow-writes' | '--exhaust'
}

/** The answer to a call, if one came. */
export type Answered = Promise<answers.CheckedCall | undefined>

/** Checks the status of a response. Returns whether it is right. */
export function hasStatus({ status, check }: answers.CheckedCall, id: CheckId, wanted: number): boolean {
  check(id, status === wanted, `the status is ${status}, not ${wanted}`)
  return status === wanted
}

const untilReset = 'until the rate limit resets'
/** With a wrong key, nothing else can be checked. */
const mostRejections = 2
/** Checks of requests that the specification does not describe at all. */
const elsewhere: readonly CheckId[] = ['orders-answer', 'route-unknown', 'method-unknown', 'head-as-get']

/** A run against a service. It keeps to its budget and to the rate limit, and checks every response. */
export class CheckRun {
  readonly options: CheckOptions
  readonly ledger = new Ledger()
  readonly history = new History()
  readonly budget: Budget
  readonly sender: Sender
  /** Documented responses that came: `listPets 200`. */
  readonly seen = new Set<string>()
  /** Animals from a list, and those that the run created. */
  pets: readonly JsonObject[] = []
  noList: string | undefined
  readonly created = new Set<JsonValue>()
  /** The ids of the last list with limit=100, by status; without one by ''. */
  readonly listed = new Map<string, readonly string[]>()
  longestList = 0
  /** Whether a list had a link to the next page. */
  hasLinks = false
  standing: answers.Standing | undefined
  /** Whether getPet may be removed by now. */
  isAfterRemoval = false
  #mayBeBanned = false
  /** How often the service rejected the key. Undefined after it accepted the key. */
  #rejections: number | undefined = 0
  #between: (() => Promise<unknown>)[] = []

  constructor(options: CheckOptions) {
    this.options = options
    this.budget = createBudget(options)
    this.sender = createSender(options, this.budget, this.ledger, this.history)
  }

  /** Makes each call before one of the next calls with the key, so that its effect on the quota shows. */
  interleave(acts: readonly (() => Promise<unknown>)[]): void {
    this.#between.push(...acts)
  }

  /** How many of those calls are still due. */
  get between(): number {
    return this.#between.length
  }

  async untilAllowed(): Promise<void> {
    await this.budget.wait(answers.pauseMs(this.standing, this.options.now()), untilReset)
  }

  /**
   * Calls the service when the rate limit allows it, and once more after 429. Undefined without an answer. What the
   * response to a request for an assumption has is assumed, too: `id` names its check.
   */
  async call(request: CheckRequest, id?: CheckId): Answered {
    const { now } = this.options
    if (hasKey(request)) await this.#between.shift()?.()
    await this.untilAllowed()
    const call = await this.callNow(request, id)
    if (call?.status !== 429) return call
    // Callers without a key have a quota of their own (A04). Without any time in the response, do not retry.
    const ms =
      answers.retryMs(call.headers, answers.serviceTime(call.headers, now())) ??
      answers.pauseMs(answers.readStanding(call, now()), now())
    if (ms === 0) return call
    await this.budget.wait(ms, untilReset)
    return this.callNow(request, id)
  }

  /** Like `call`. Without an answer other than 429, the checks that need one stay open. */
  async ask(request: CheckRequest, needs: readonly CheckId[], id?: CheckId): Answered {
    const call = await this.call(request, id)
    // Nothing says what a key may do.
    const isForbidden = call?.status === 403 && request.method === 'POST' && hasKey(request)
    if (call !== undefined && call.status !== 429 && !isForbidden) return call
    const reason = isForbidden
      ? 'the key may not create animals: the status is 403'
      : call === undefined
        ? this.sender.lost
        : 'the status is 429 again and again'
    for (const one of needs) this.ledger.leaveOpen(one, reason ?? '')
    return undefined
  }

  async callNow(request: CheckRequest, id?: CheckId): Answered {
    // It may get 5xx for its own sake: nobody describes it, or it exceeds the limit.
    const mayFail = id !== undefined && (elsewhere.includes(id) || id === 'limit-enforced')
    const answer = await this.sender.send(request, mayFail)
    return answer && this.#judge(request, answer, id)
  }

  /** Says why checks that need animals are not made. Without any list, they are not judged. */
  explainFewPets(ids: readonly CheckId[], reason: string): void {
    for (const id of ids)
      if (this.noList === undefined) this.ledger.explain(id, reason)
      else this.ledger.leaveOpen(id, this.noList)
  }

  /** Calls the service and checks the status. Undefined if the status is another one. */
  async expect(status: number, request: CheckRequest, id: CheckId): Answered {
    const call = await this.ask(request, [id], id)
    return call && hasStatus(call, id, status) ? call : undefined
  }

  /** Makes the checks that hold for every response. */
  async #judge(request: CheckRequest, answer: WholeAnswer, id: CheckId | undefined): Answered {
    const { plan } = this.options
    const now = this.options.now()
    const call = checkedCall(request, answer, this.ledger)
    const { status, json, check } = call
    const standing = answers.readStanding(call, now)
    this.history.add(call, standing, now)
    this.isAfterRemoval ||= answers.serviceTime(call.headers, now) >= answers.removalDay.from
    if (request.method !== 'HEAD')
      await this.#judgeContract(call, id !== undefined && checks[id].severity === 'info')
    if (json !== undefined) check('json-no-mark', !call.hasMark, 'the body begins with U+FEFF')
    if (status === 401) {
      const challenge = call.headers['www-authenticate']
      check('auth-challenge', challenge !== undefined, 'WWW-Authenticate is missing')
      const isBearer = /\bbearer\b/i.test(challenge ?? '')
      if (challenge !== undefined) check('auth-scheme', isBearer, `WWW-Authenticate is ${challenge}`)
    }
    if (hasKey(request)) {
      this.standing = standing ?? this.standing
      // A ban after 429 may have any status.
      this.#mayBeBanned = status >= 400 && (this.#mayBeBanned || status === 429)
      if (!this.#mayBeBanned) check('auth-accepted', status !== 401, 'the status is 401')
    }
    // Orders may be missing. If the service has them, they are an operation like any other.
    const isOfOrders = id === 'orders-answer' && (status < 400 || status === 401 || status === 429)
    const isElsewhere = id !== undefined && elsewhere.includes(id) && !isOfOrders
    answers.checkLimitHeaders(call, { plan, now, isElsewhere })
    if (status === 429) answers.checkRefusal(call, now)
    return hasKey(request) && this.#isRejected(call) ? this.callNow(request, id) : call
  }

  /** `isAssumed`: the request tests an assumption. */
  async #judgeContract(call: answers.CheckedCall, isAssumed: boolean): Promise<void> {
    const { request, status, headers, text, json, check } = call
    const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    const judgement = await this.options.judge
      .judge({
        method: request.method,
        target: request.target,
        requestHeaders: { authorization: 'Bearer key', ...Object.fromEntries(sent) },
        requestBody: request.body,
        status,
        headers,
        body: text === '' ? undefined : text,
      })
      .catch((error: unknown) => this.ledger.addFailure(contractParts, call, error))
    if (judgement === undefined) return
    const { breaches, isBodyAssumed, operation, isDocumented, isOtherError } = judgement
    if (operation === undefined && status < 400) return
    const isError = status >= 400
    const shape = isOtherError || (isError && isAssumed) ? 'error-shape' : 'contract-assumed'
    const idOf = (breach: (typeof breaches)[number]) =>
      isError && isAssumed ? 'error-shape' : failedCheck(breach, judgement)
    for (const id of [...contractParts, shape] as const) {
      const found = breaches.filter(breach => idOf(breach) === id)
      const detail = found.map(({ message }) => message).join('; ')
      if ((isDocumented && !isOtherError) || id === shape || found.length > 0)
        check(id, found.length === 0, detail)
    }
    // A missing body, or one that is not JSON, is a breach of its own.
    const inBody = isError && json !== undefined ? answers.petOf(call)?.status : undefined
    const detail = `the Error has ${answers.show(inBody)}, the response ${status}`
    if (inBody !== undefined)
      check(isBodyAssumed || isAssumed ? shape : 'error-status', inBody === status, detail)
    if (isDocumented && operation !== undefined) this.seen.add(`${operation} ${status}`)
  }

  /** Whether the service rejects the key, and never accepted it. Throws if it does so again. */
  #isRejected({ status }: answers.CheckedCall): boolean {
    if (this.#rejections === undefined) return false
    this.#rejections = status === 401 ? this.#rejections + 1 : undefined
    if (this.#rejections === mostRejections)
      throw new OutOfBudget('the service rejects the value of --key with 401')
    return status === 401
  }
}

const contractParts = ['contract-status', 'contract-media-type', 'contract-header', 'contract-body'] as const
