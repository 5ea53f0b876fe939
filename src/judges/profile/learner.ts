import type { JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { check } from '../../control/fields/check.ts'
import { assumedSettings, none } from '../../control/profile/assumed.ts'
import { conventions } from '../../control/scenario/settings/behaviour.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Line, Profile } from '../../emulator/worlds/scenario.ts'
import { nextLink } from '../../service/call/link.ts'
import { operationIds } from '../../service/operations/operations.ts'
import { isPetStatus, petStatuses } from '../../service/pets/pet.ts'
import { learnBans, runsOf } from './bans.ts'
import { learnErrors, removalsOf } from './errors.ts'
import { countsOf, learnLimits } from './limits.ts'
import { isAccepted, readRates } from './rates.ts'
import { callsByKey, type SeenCall, seeCall, sharedMembers, wordsOf } from './seen-call.ts'
import { type Lines, lineOf, Other, see, summarize } from './sightings.ts'

export type Learner = ReturnType<typeof createLearner>

/** The oldest calls make room for newer ones. */
const mostCalls = 20_000
const mostCharacters = 64 * 2 ** 20

/** Learns the settings of a service from its responses. It keeps keys apart, and a profile has none. */
export function createLearner({ service }: { readonly service: string }) {
  let calls: SeenCall[] = []
  let size = 0
  return {
    /** Takes the exchanges of one service in any order. Their targets begin with `/v1`. */
    add: (exchange: Exchange): void => {
      const seen = seeCall(exchange)
      if (seen === undefined) return
      calls.push(seen)
      size += seen.size
      if (calls.length <= mostCalls && size <= mostCharacters) return
      calls = calls.slice(Math.ceil(calls.length / 4))
      size = calls.reduce((sum, call) => sum + call.size, 0)
    },
    profile: (): Profile => {
      const lines = learn(calls.toSorted((one, other) => one.sentAt - other.sentAt))
      const learned = Object.entries(lines).filter((entry): entry is [string, Line] => entry[1] !== undefined)
      const unknown = assumedSettings.map(({ path }) => path).filter(path => lines[path] === undefined)
      return { profile: 1, service, learned: Object.fromEntries(learned), unknown }
    },
  }
}

/** The profile that the exchanges of one service show. */
export function learnFrom(service: string, exchanges: readonly Exchange[]): Profile {
  const learner = createLearner({ service })
  for (const exchange of exchanges) learner.add(exchange)
  return learner.profile()
}

function learn(calls: readonly SeenCall[]): Lines {
  const sent = new Set(calls.flatMap(call => call.sent))
  for (const word of [...petStatuses, 'Bearer']) sent.delete(word)
  const isOpen = (text: string) =>
    !secrets.some(look => look.test(text)) && !wordsOf(text).some(word => sent.has(word))
  const rates = readRates(calls)
  const { lines, rateOf } = rates
  const runs = runsOf(calls, rateOf)
  const keys = callsByKey(calls).map(own => countsOf(own, rateOf))
  const alone = new Set(keys.flatMap(({ isAlone, calls: [first] }) => (isAlone && first ? first.key : [])))
  const errors = learnErrors(calls, runs, rateOf, isOpen)
  const named = Object.entries({ ...lines, ...errors }).filter(([, line]) =>
    isOpen(JSON.stringify([line?.value, line?.values])),
  )
  return {
    ...Object.fromEntries(named),
    ...learnLimits(calls, keys, runs, rateOf),
    ...learnBans(runs, alone, rateOf),
    ...learnOrder(calls, errors),
    ...learnExtras(calls, rates, isOpen),
    ...learnPages(calls),
    ...learnDeprecation(calls),
    ...learnLatency(calls),
  }
}

/** What looks like an e-mail, a URL, an address, a uuid, a token or a key. */
const secrets = [
  /\S@\S|\w:\/\/|\beyJ[\w-]+|\d{9,}|\b[\w+/=-]{32,}/,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[0-9a-f]{0,4}:){3}|[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /\b(?=[a-z0-9_]*\d)(?=[a-z0-9_]*[a-z])[a-z0-9_]{12,}\b/i,
  /\b(?:sk|pk|key|token|ghp|gho|glpat|xox[a-z])[-_][\w-]{4,}/i,
]

/** The order of checks that a single response shows (A01). */
function learnOrder(calls: readonly SeenCall[], errors: Lines): Lines {
  const isMissing = ({ isRouted, status }: SeenCall) => !isRouted && status === 404
  const missing = new Set(calls.filter(call => call.key !== null && isMissing(call)).map(({ path }) => path))
  const unknownPath = see(calls, call => {
    if (call.key !== null || call.isRouted || !missing.has(call.path)) return undefined
    return isMissing(call) ? 'before-key' : call.status === 401 ? 'after-key' : undefined
  })
  const contentType = see(calls, ({ wrong, status, json }) => {
    if (status !== 400 || wrong === undefined || wrong.code === wrong.lastCode) return undefined
    const [first, last] = [wrong.code, wrong.lastCode].map(
      name => Object(errors[`errors.${name}`]?.value).code,
    )
    if (first === undefined || last === undefined || first === last) return undefined
    return json?.code === first ? 'before-schema' : json?.code === last ? 'after-schema' : undefined
  })
  return { 'order.unknownPath': lineOf(unknownPath), 'order.contentType': lineOf(contentType) }
}

const fewest = 3

/** Order, links and size of pages, and the status of pets that are created without one (A12, A14, A15). */
function learnPages(calls: readonly SeenCall[]): Lines {
  const lists = calls.filter(
    ({ operation, status, list }) => operation === 'listPets' && status === 200 && list,
  )
  const idsOf = ({ list }: SeenCall) => list?.ids ?? []
  const order = (call: SeenCall) => {
    const ids = idsOf(call)
    const isSorted = (sign: number) =>
      ids.every((id, at) => at === 0 || (id > (ids[at - 1] ?? id) ? 1 : -1) === sign)
    if (ids.length < fewest) return undefined
    return isSorted(1) ? 'ascending' : isSorted(-1) ? 'descending' : new Other('no order')
  }
  const longest = new Map<unknown, number>()
  for (const call of lists) {
    const status = call.query.get('status')
    longest.set(status, Math.max(longest.get(status) ?? 0, idsOf(call).length))
  }
  const longestOf = ({ query }: SeenCall) => longest.get(query.get('status')) ?? 0
  const linkStyle = (call: SeenCall) => {
    const next = nextLink(call.headers.link)
    if (next !== undefined)
      return /^https?:/i.test(next) ? 'link' : /^\/(?!\/)/.test(next) ? 'relative' : new Other('another form')
    const { length } = idsOf(call)
    const isFull =
      call.query.get('limit') === `${length}` && !call.query.has('cursor') && call.wrong === undefined
    return isFull && longestOf(call) > length ? 'none' : undefined
  }
  const pageSize = (call: SeenCall) => {
    const limit = call.query.get('limit') ?? ''
    if (call.wrong?.what !== 'limit' || !/^(?:0|-?[1-9]\d{0,8})$/.test(limit)) return undefined
    if (call.status === 400) return 'reject'
    const [edge, nearest] = Number(limit) > 100 ? [101, 100] : [0, 1]
    const other = (gets: string) => new Other(`limit=${edge} gets ${gets}`)
    if (call.status === 422) return other('422')
    if (call.status !== 200 || call.list === undefined) return undefined
    const { length } = idsOf(call)
    if (length === nearest) return 'clamp'
    if (length > nearest) return other(`more than ${nearest}`)
    // A short page shows something only if there are more pets.
    const hasMore = nextLink(call.headers.link) ?? (call.query.size === 1 && longestOf(call) > length)
    return hasMore ? other(`fewer than ${nearest}`) : undefined
  }
  const isBare = ({ members, json }: SeenCall) => json && members.length > 0 && !members.includes('status')
  const created = calls.filter(call => call.operation === 'createPet' && call.status === 201 && isBare(call))
  const defaultStatus = ({ json }: SeenCall) =>
    json?.status === undefined ? none : isPetStatus(json.status) ? json.status : new Other('another status')
  return {
    pageOrder: lineOf(see(lists, order)),
    pagination: lineOf(see(lists, linkStyle)),
    pageSize: lineOf(see(calls, pageSize)),
    'pets.defaultStatus': lineOf(see(created, defaultStatus)),
  }
}

/** Headers and members that all responses have with the same value, and that the specification does not name (A16). */
function learnExtras(
  calls: readonly SeenCall[],
  { isOfLimits, mayBeOfLimits }: Pick<ReturnType<typeof readRates>, 'isOfLimits' | 'mayBeOfLimits'>,
  isOpen: (text: string) => boolean,
): Lines {
  const own = calls.filter(({ method }) => method !== 'OPTIONS')
  const line = (
    among: readonly SeenCall[],
    extrasOf: (call: SeenCall) => JsonObject,
    isOwn: (value: string) => boolean = () => true,
  ) => {
    const kinds = new Set(among.map(({ operation, status }) => `${operation} ${status}`))
    const shared = Object.entries(sharedMembers(among.map(extrasOf)))
    const extras = shared.filter(
      ([name, value]) => isOpen(`${name}: ${writeJson(value)}`) && isOwn(`${value}`),
    )
    const value = extras.length > 0 ? Object.fromEntries(extras) : shared.length === 0 ? none : undefined
    return kinds.size > 1 ? lineOf(see(among, () => value)) : undefined
  }
  const headersOf = (call: SeenCall) => {
    const headers = call.names.map(name => [name, call.headers[name.toLowerCase()] ?? ''] as const)
    const isExtra = ([name, value]: readonly [string, string]) =>
      check(conventions.fields.responses.shape.fields.headers.shape, { [name]: value }).length === 0 &&
      !transient.test(name) &&
      !isOfLimits(name)
    return Object.fromEntries(headers.filter(isExtra))
  }
  const errors = own.filter(({ status, json }) => status >= 400 && typeof json?.code === 'string')
  const pets = own.filter(
    call => isAccepted(call) && call.operation && (call.list ? call.list.ids.length > 0 : call.json),
  )
  return {
    'responses.headers': line(own, headersOf, value => !mayBeOfLimits(value)),
    'responses.error': line(errors, ({ json = {} }) => without(json, ['code', 'message', 'status'])),
    'responses.pet': line(pets, ({ list, json = {} }) =>
      without(list?.shared ?? json, ['id', 'name', 'categoryId', 'status']),
    ),
  }
}

/** Headers about one response, one connection, or the machine that sent it. */
const transient =
  /^(?:age|etag|last-modified|expires|via|alt-svc|nel|report-to|server-timing|traceparent|tracestate|x-content-type-options|cf-.*|x-(?:cache|amz|b3|served|timer|runtime|response).*)$|(?:^|-)(?:ids?|trace|tracing|span|correlation|time|timing|duration|token|secret|key|auth|session|user|account|client|host|node|instance|region|date|nonce|signature)(?:-|$)/i

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Dates and removal of the deprecated operation (A17). A brownout answers 404 with its headers. */
function learnDeprecation(calls: readonly SeenCall[]): Lines {
  const removals = removalsOf(calls)
  const own = calls.filter(({ operation, method }) => operation === 'getPet' && method === 'GET')
  const sunsetOf = ({ headers, date = 0 }: SeenCall) => readHttpDate(headers.sunset ?? '', date)?.ms
  const line = (show: (call: SeenCall) => unknown) => lineOf(see(own, show))
  return {
    'deprecation.since': line(({ headers, status }) => {
      const seconds = /^@(\d{1,11})$/.exec(headers.deprecation ?? '')?.[1]
      if (seconds !== undefined) return formatInstant(Number(seconds) * 1_000)
      return status === 200 && headers.deprecation === undefined ? none : undefined
    }),
    'deprecation.removedAt': line(call => {
      const sunset = sunsetOf(call)
      return sunset === undefined ? undefined : formatInstant(sunset)
    }),
    'deprecation.after': line(call => {
      const { status, date = 0 } = call
      const sunset = sunsetOf(call)
      if (removals.get(call) === true) return status === 410 || sunset === undefined ? status : undefined
      return status === 200 && sunset !== undefined && sunset <= date ? 'keep' : undefined
    }),
  }
}

const fewestTimed = 20

/** Median and 99th percentile of each operation's accepted calls, as the client measured them. */
function learnLatency(calls: readonly SeenCall[]): Lines {
  const lines = operationIds.map((id): [string, Line | undefined] => {
    const own = calls.filter(
      call => call.operation === id && isAccepted(call) && call.answeredAt > call.sentAt,
    )
    const took = own.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
    const at = (part: number) => formatDuration(took[Math.ceil(part * took.length) - 1] ?? 0)
    const value = { median: at(0.5), p99: at(0.99) }
    const line: Line = { value, state: 'observed', ...summarize(own.map(call => ({ call }))) }
    return [`latency.${id}`, own.length < fewestTimed ? undefined : line]
  })
  return Object.fromEntries(lines)
}
