import type { JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { check } from '../../control/fields/check.ts'
import { none } from '../../control/profile/assumed.ts'
import { conventions } from '../../control/scenario/settings/behaviour.ts'
import type { Line } from '../../emulator/worlds/scenario.ts'
import { operationIds } from '../../service/operations/operations.ts'
import { removalsOf } from './errors.ts'
import { isAccepted, type readRates } from './rates.ts'
import { type SeenCall, sharedMembers } from './seen-call.ts'
import { type Lines, lineOf, see, summarize } from './sightings.ts'

/** Headers and members that all responses have with the same value, and that the specification does not name (A16). */
export function learnExtras(
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
export function learnDeprecation(calls: readonly SeenCall[]): Lines {
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

const fewest = 20

/** Median and 99th percentile of each operation's accepted calls, as the client measured them. */
export function learnLatency(calls: readonly SeenCall[]): Lines {
  const lines = operationIds.map((id): [string, Line | undefined] => {
    const own = calls.filter(
      call => call.operation === id && isAccepted(call) && call.answeredAt > call.sentAt,
    )
    const took = own.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
    const at = (part: number) => formatDuration(took[Math.ceil(part * took.length) - 1] ?? 0)
    const value = { median: at(0.5), p99: at(0.99) }
    const line: Line = { value, state: 'observed', ...summarize(own.map(call => ({ call }))) }
    return [`latency.${id}`, own.length < fewest ? undefined : line]
  })
  return Object.fromEntries(lines)
}
