import { BoundedMap } from '../../base/bounded-map.ts'
import { hashOf } from '../../base/hash.ts'
import { formatTimes } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { type Delivery, type Exchange, hasArrived } from '../../emulator/journal/exchange.ts'
import { clip, quote } from '../../service/call/echo.ts'
import { headerValue, replyHeader } from '../../service/call/headers.ts'
import { nextLink } from '../../service/call/link.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { holdsKeyInQuery } from '../inspection/conceal.ts'
import { ignoredBy } from '../inspection/nearest.ts'
import { callSite } from '../inspection/view.ts'
import type { ConductContext, Judge, Note, Portion } from './observed-call.ts'

type RequestContext = Pick<ConductContext, 'textOf' | 'isKey' | 'secrets'>

/** Judges each call by itself, and repetitions of invalid ones. */
export function judgeRequests(note: Note, context: RequestContext, portion: Portion): Judge {
  const judgeRepeated = judgeInvalid(note, portion)
  const linked = new BoundedMap<string, true>(mostLinked, { portion })
  return call => {
    const { exchange } = call
    judgeKey(exchange, note, context)
    if (!exchange.trace.synthetic) judgeLifetime(exchange, note, context)
    for (const { what, name, meant } of ignoredBy(exchange)) {
      if (what !== 'field' && linked.has(name)) continue
      const id = what === 'field' ? 'unknown-field' : 'unknown-parameter'
      const shown = quote(context.textOf(exchange)(name), 40)
      const hint = meant === null ? '' : `; did you mean ${meant}?`
      note({ id, exchange, group: clip(name), detail: count => `${shown}, ${formatTimes(count)}${hint}` })
    }
    for (const name of linkedBy(exchange)) linked.set(name, true)
    judgeRepeated(call)
  }
}

const mostLinked = 100

/** Parameters that the service adds in a link to the next page. Services repeat those that were sent. */
function linkedBy({ call, reply }: Exchange): readonly string[] {
  const next = nextLink(replyHeader(reply, 'link'))
  if (next === undefined) return []
  const sent = namesIn(call.target)
  return namesIn(next).filter(name => !sent.includes(name))
}

function namesIn(target: string): readonly string[] {
  return readQuery(readTarget(target).query).map(({ name }) => name)
}

function judgeKey(exchange: Exchange, note: Note, { textOf, isKey, secrets }: RequestContext): void {
  const { call, trace } = exchange
  const isKnown = (text: string) => isKey(exchange, text)
  if (holdsKeyInQuery(call, { isSecret: secrets.isListed, isKnown })) {
    note({ id: 'key-in-query', exchange, detail: () => 'a key in the query' })
  } else if (trace.code === 'missing_api_key' && !trace.synthetic) {
    const site = callSite(call, textOf(exchange))
    note({ id: 'missing-key', exchange, detail: count => callsFrom(site, count), group: site })
  }
}

/** Deprecation and removal, by call site. During a brownout the reply still has `Sunset`: the operation is not removed yet. */
function judgeLifetime(exchange: Exchange, note: Note, { textOf }: RequestContext): void {
  const sunset = replyHeader(exchange.reply, 'sunset')
  const isRemoved = exchange.trace.code === 'endpoint_removed' && sunset === undefined
  if (!isRemoved && sunset === undefined) return
  const id = isRemoved ? 'removed-operation' : 'deprecated-operation'
  const site = clip(callSite(exchange.call, textOf(exchange)))
  const removedAt = Date.parse(sunset ?? '')
  const end = Number.isNaN(removedAt) ? '' : `; removal on ${formatInstant(removedAt).slice(0, 10)}`
  note({ id, exchange, group: site, detail: count => `${callsFrom(site, count)}${end}` })
}

const mostWatched = 1_000
const invalidStatuses: readonly number[] = [400, 405, 413]
const invalidCodes: readonly (string | undefined)[] = ['route_not_found', 'invalid_api_key']

/** Two tests may check the same rejection, so that a call twice is no repetition. */
const repeatsJudged = 3

/** How often a sequence sent an invalid call since its last valid one, and the last reply. */
interface Rejected {
  readonly count: number
  readonly valid: number
  readonly last: Delivery
}

function judgeInvalid(note: Note, portion: Portion): Judge {
  const rejected = new BoundedMap<number, Rejected>(mostWatched, { portion })
  /** The number of valid calls of each sequence. */
  const valid = new BoundedMap<number, number>(mostWatched, { portion })
  return ({ exchange, fingerprint, link: { sequence }, delivery }) => {
    const served = valid.get(sequence.id) ?? 0
    const { status } = exchange.reply
    const { code, synthetic } = exchange.trace
    // A pet that does not exist may exist later.
    if (synthetic || !(invalidStatuses.includes(status) || invalidCodes.includes(code))) {
      // A failure or a refusal is no sign of another test.
      if (status < 400) valid.set(sequence.id, served + 1)
      return
    }
    const key = headerValue(exchange.call.headers, 'authorization')
    const call = hashOf(`${fingerprint}`, typeof key === 'string' ? key : '')
    const name = hashOf(`${sequence.id} ${call}`)
    const before = rejected.get(name)
    const isAgain = before?.valid === served && hasArrived(before.last, exchange.call.receivedAt)
    const count = isAgain ? before.count + 1 : 1
    rejected.set(name, { count, valid: served, last: delivery })
    if (count < repeatsJudged) return
    // The row lives on, so its text must not hold the exchange and its bodies.
    const detail = (count: number) => `${code ?? 'invalid'}, repeated ${formatTimes(count)}`
    note({ id: 'invalid-request-repeated', exchange, group: `${call}`, detail })
  }
}

/** The paths of the calls of one site may differ, and the evidence names one of them. */
function callsFrom(site: string, count: number): string {
  return count === 1 ? `once, from ${site}` : `one of ${count} calls from ${site}`
}
