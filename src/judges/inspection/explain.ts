import { formatShare } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { showFlow } from '../../control/files/show.ts'
import { formatFault } from '../../control/scenario/settle-rules.ts'
import { type AreaSource, type Exchange, type Gate, isRefused } from '../../emulator/journal/exchange.ts'
import { absent, type Mismatch } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { readTarget } from '../../service/call/target.ts'
import { remaining, windowLengths, windowNames } from '../../service/limits/limiter.ts'
import { hostileFormOf } from '../../service/limits/retry-after.ts'
import { type ShowText, showKey } from './conceal.ts'
import { type Ignored, ignoredBy, nearestThing } from './nearest.ts'
import { unmetPreferences } from './view.ts'

/** Why a call got its response, for people and for programs. */
export type Explanation = Readonly<ReturnType<typeof explain>>

/** Explains an exchange of the journal. The request behind a ban is searched in `earlier`, the exchanges of its sandbox, the newest first. */
export function explain(exchange: Exchange, earlier: Iterable<Exchange>, text: ShowText) {
  const findings = {
    mismatches: nearestThing(exchange).map(({ what, asked, expected }) => ({
      what,
      asked: clip(text(asked)),
      expected: text(expected),
    })),
    ignored: ignoredBy(exchange).map(({ name, ...rest }) => ({ ...rest, name: text(name) })),
    strikes: showStrikes(exchange, earlier),
  }
  /** The one that decided (A01). */
  const { gate } = exchange.trace
  return { sentences: sentencesOf(exchange, findings, text), gate, ...findings }
}

/** What an explanation is made of, besides the trace. */
export interface Findings {
  /** The request beside the nearest one that would have worked. */
  readonly mismatches: readonly Mismatch[]
  readonly ignored: readonly Ignored[]
  readonly strikes: ReturnType<typeof showStrikes>
}

/** `earlier`: the exchanges of its sandbox, the newest first. */
function showStrikes({ id, trace }: Exchange, earlier: Iterable<Exchange>) {
  const { strikes: count, banAfter: after = null, bannedUntil, bannedByHand, key } = trace
  if (key === undefined || (count === 0 && bannedUntil === undefined)) return null
  const causedBan = (other: Exchange) =>
    other.id <= id &&
    other.trace.key === key &&
    other.trace.gate === 'limit' &&
    other.trace.code === 'api_key_banned'
  const isBanned = bannedUntil !== undefined
  return {
    /** Refused calls of the key since its last accepted one, this one included. */
    count,
    /** How many ban the key; null: bans are off. */
    after,
    bannedUntil: isBanned ? formatInstant(bannedUntil) : null,
    /** The id of the request that caused the ban, if the journal still has it. */
    bannedBy: isBanned && !bannedByHand ? (firstOf(earlier, causedBan)?.id ?? null) : null,
  }
}

function firstOf(exchanges: Iterable<Exchange>, isWanted: (exchange: Exchange) => boolean) {
  for (const exchange of exchanges) if (isWanted(exchange)) return exchange
  return undefined
}

/** One sentence, several, or none. */
type Said = string | readonly string[] | undefined

function sentencesOf(exchange: Exchange, findings: Findings, text: ShowText): readonly string[] {
  const { call, reply, trace, breaches = [] } = exchange
  const code = trace.code === undefined ? '' : ` ${trace.code}`
  const outcome = trace.isLost ? 'got no response' : `returned ${reply.status}${code}`
  const said: readonly Said[] = [
    `${call.method} ${text(readTarget(call.target).path)} ${outcome}.`,
    trace.events?.map(event => `Before it, an event of the scenario happened: ${text(event)}.`),
    decisions[trace.gate](exchange, findings, text),
    strikes(exchange, findings),
    hostileForm(exchange),
    ...windows(exchange, text),
    mismatches(exchange, findings),
    ...interventions(exchange),
    unmetPreferences(exchange).map(({ text: asked, why }) => `Prefer: ${text(asked)} was not met: ${why}.`),
    ...notices(exchange, findings),
    breaches.map(({ message }) => `It breaks the contract: ${text(message)}.`),
  ]
  return said.flatMap(one => one ?? [])
}

const decisions: Readonly<Record<Gate, (exchange: Exchange, findings: Findings, text: ShowText) => Said>> = {
  host: () =>
    'Its Host header names a host that is not allowed, so pet-mock checked nothing else. To allow it, start pet-mock with --allowed-hosts.',
  preflight: () => 'OPTIONS only lists what is allowed: it needs no key and uses no quota.',
  api: () => 'The API is only under /v1, so no key was required and no quota was used.',
  key: ({ trace: { code } }, { mismatches: [found] }) => {
    if (code === 'missing_api_key')
      return 'It has no API key: send the header "Authorization: Bearer <API_KEY>".'
    if (found?.what === 'API key') return `It was sent with ${found.asked}.`
    if (code === 'invalid_api_key')
      return 'Its Authorization header is not exactly one bearer token. Send "Authorization: Bearer <API_KEY>" once.'
    return 'It has no valid API key, and such calls are limited by client address.'
  },
  ban: ({ sandbox, trace: { key = '', bannedByHand } }, { strikes }, text) => {
    const request = strikes?.bannedBy ? `, because of request ${strikes.bannedBy}` : ''
    const cause = bannedByHand ? ' by hand' : request
    return `The key ${showKey(key, sandbox, text)} was banned until ${strikes?.bannedUntil ?? 'further notice'}${cause}. The call used no quota.`
  },
  limit: ({ trace: { limit, plan } }) => {
    if (limit === undefined) return undefined
    const { limit: most, used } = limit[limit.reported]
    const refused = used > most ? 'Refused calls count, too.' : 'The refused call used no quota.'
    return `The key may make ${most} calls a ${limit.reported} (plan ${plan}), and had made ${used}. ${refused}`
  },
  prefer: () => 'The call asked for this response with its Prefer header.',
  rule: ({ reply: { fault }, trace: { rules = [], operation, area, isLost } }) => {
    if (isLost && fault !== undefined)
      return `The rule ${quote(rules.at(-1))} acted on the request (${showFlow(formatFault(fault))}): the request was lost, and nothing was carried out.`
    const reached = operation ?? area?.operation
    const injected = `The rule ${quote(rules.at(-1))} injected this response.`
    return reached === undefined ? injected : [injected, `${reached} was carried out before.`]
  },
  route: ({ trace: { code } }) => {
    if (code === 'endpoint_removed') return 'The operation at this path was already removed.'
    if (code === 'method_not_allowed') return 'The path exists, but not with this method.'
    return 'The API has no such path.'
  },
  failure: () => 'pet-mock itself failed. The reason is in its log. Please report it.',
  operation: ({ trace: { operation, area, code } }) => {
    const name = operation ?? area?.operation
    const source = area === undefined ? '' : ` from ${areaSources[area.source]} of the contract`
    return `${name} ${code === undefined ? 'answered' : 'rejected'} it${source}.`
  },
}

const areaSources: Readonly<Record<AreaSource, string>> = {
  collection: 'a collection',
  mocker: 'an example or a schema',
}

function strikes({ trace: { gate, code } }: Exchange, { strikes }: Findings): Said {
  if (gate !== 'limit' || strikes === null) return undefined
  const { count, after, bannedUntil } = strikes
  const position = `It is refused call number ${count} since the last accepted one`
  if (code === 'api_key_banned') return `${position}, which bans the key until ${bannedUntil}.`
  return after === null ? undefined : `${position}. Number ${after} bans the key.`
}

/** Names the form of `Retry-After` that a client cannot obey. */
function hostileForm(exchange: Exchange): Said {
  const { headers } = exchange.reply
  const form = isRefused(exchange) ? hostileFormOf(headers) : undefined
  if (form === undefined) return undefined
  const value = headers['Retry-After'] ?? ''
  const sent =
    form === 'absent'
      ? 'no Retry-After'
      : `${form === 'twice' ? 'two lines' : 'the line'} ${quote(`Retry-After: ${value}`)}`
  return `The scenario sets limits.retryAfter to the hostile form ${form}, so the response had ${sent}.`
}

function windows({ sandbox, trace }: Exchange, text: ShowText): readonly Said[] {
  const { limit, key, gate } = trace
  if (limit === undefined) return []
  const { minute, day } = limit
  // An invalid key is counted by its address (A04).
  const isKeys = key !== undefined && gate !== 'key'
  const whose = isKeys ? `the key ${showKey(key, sandbox, text)}` : 'its address'
  return [
    `After it, ${whose} had ${formatShare(remaining(minute), minute.limit)} requests left for the minute and ${formatShare(remaining(day), day.limit)} for the day.`,
    sharedUse(limit),
    windowNames.flatMap(name => {
      const { endsAt, openedBy } = limit[name]
      if (endsAt === undefined) return []
      const opened =
        openedBy === undefined ? `The ${name} window opened` : `Request ${openedBy} opened the ${name} window`
      return `${opened} at ${formatInstant(endsAt - windowLengths[name])}; it resets at ${formatInstant(endsAt)}.`
    }),
    gate === 'key' && limit.accepted ? uncounted : undefined,
  ]
}

function sharedUse({ minute, day }: NonNullable<Exchange['trace']['limit']>): Said {
  if (minute.others === 0 && day.others === 0) return undefined
  return `Another client uses this key too (sharedUse): ${minute.others} of the calls in the minute and ${day.others} of those in the day are its.`
}

/** A call does not say what its scenario sets (A04). */
const uncounted =
  'Callers without a valid key are counted by IP address. They get 429 only if the scenario sets limits.anonymous to enforce.'

function mismatches({ trace }: Exchange, { mismatches }: Findings): Said {
  // The sentence of the key gate says it.
  if (trace.gate === 'key' && mismatches[0]?.what === 'API key') return undefined
  const shown = (value: string) => (value === absent ? 'nothing' : value)
  return mismatches.map(
    ({ what, asked, expected }) => `Wrong ${what}: expected ${shown(expected)}, found ${shown(asked)}.`,
  )
}

function interventions({ reply, trace: { rules = [], isLost } }: Exchange): readonly Said[] {
  const { delayMs, fault, spared } = reply
  const names = rules.map(quote).join(', ')
  const who = rules.length === 0 ? 'Its Prefer header' : `The rule${rules.length > 1 ? 's' : ''} ${names}`
  return [
    delayMs === undefined ? undefined : `${who} delayed the response by ${delayMs} ms.`,
    spared &&
      `${who} had ${reply.body ? `nothing to cut: ${showFlow(formatFault(spared))} is at least the whole body` : 'no body to break'}.`,
    isLost ? undefined : fault && `${who} broke the response: ${showFlow(formatFault(fault))}.`,
  ]
}

function notices({ reply, trace, cut }: Exchange, { ignored }: Findings): readonly Said[] {
  const { Sunset: sunset } = reply.headers
  const { area, stability } = trace
  const operation = trace.operation ?? area?.operation
  const isDeprecated = sunset !== undefined && operation !== undefined
  const cutSentence = (body: string, bytes: number | undefined) =>
    bytes === undefined ? [] : `The journal keeps the first 16 KiB of the ${body} body (${bytes} bytes).`
  return [
    isDeprecated ? `${operation} is deprecated and will be removed on ${sunset}.` : undefined,
    stability && `${operation} is marked ${stability}, so it may still change.`,
    ignored.map(({ what, name, meant }) => {
      const hint = meant === null ? '.' : `; did you mean ${quote(meant)}?`
      return `The ${what} ${quote(name)} was ignored${hint}`
    }),
    cutSentence('request', cut.call),
    cutSentence('response', cut.reply),
  ]
}

function quote(name = ''): string {
  return JSON.stringify(name)
}
