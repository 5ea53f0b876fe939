import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Line } from '../../control/profile/profile.ts'
import { extraHeaders, headerValues } from '../../control/scenario/settings/texts.ts'
import { isPrivate } from './private.ts'
import { type SeenCall, sharedMembers } from './seen-call.ts'
import { type Lines, lineOf } from './sightings.ts'

/** Headers and members that all responses have with the same value, and that the specification does not name. */
export function learnResponses(
  calls: readonly SeenCall[],
  sent: ReadonlySet<string>,
  isOfLimits: (call: SeenCall, name: string) => boolean,
): Lines {
  const own = calls.filter(({ method }) => method !== 'OPTIONS')
  const errors = own.filter(({ status, json }) => status >= 400 && typeof json?.code === 'string')
  const isOpen = (name: string, value: JsonValue) => !isPrivate(`${name}: ${writeJson(value)}`, sent)
  const headersOf = (call: SeenCall): JsonObject =>
    Object.fromEntries(
      call.names.flatMap(name => {
        const value = call.headers[name.toLowerCase()] ?? ''
        const isExtra =
          extraHeaders.accepts(name) &&
          headerValues.accepts(value) &&
          !transient.test(name) &&
          !isOfLimits(call, name)
        return isExtra ? [[name, value]] : []
      }),
    )
  const pets = own.filter(({ operation, status }) => status < 300 && operation !== undefined)
  return {
    'responses.headers': extrasLine(own, headersOf, isOpen),
    'responses.error': extrasLine(
      errors,
      ({ json = {} }) => without(json, ['code', 'message', 'status']),
      isOpen,
    ),
    'responses.pet': extrasLine(
      pets.filter(({ list, json }) => (list !== undefined ? list.ids.length > 0 : json !== undefined)),
      ({ list, json }) => without(list?.shared ?? json ?? {}, ['id', 'name', 'categoryId', 'status']),
      isOpen,
    ),
  }
}

/** Headers about one response, one connection, or the machine that sent it. */
const transient =
  /^(?:age|etag|last-modified|expires|via|server-timing|timing-allow-origin|x-content-type-options|alt-svc|nel|report-to|traceparent|tracestate|cf-.*|x-cache.*|x-served-by|x-timer|x-amz.*|x-b3-.*|x-runtime|x-response-time)$|(?:^|-)(?:id|ids|trace|tracing|span|correlation|time|timing|duration|token|secret|key|auth|session|user|account|client|host|node|instance|region|date|nonce|signature)(?:-|$)/i

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

const longest = 200

/** The members that are the same in calls of at least two kinds, and at more than one second. */
function extrasLine(
  calls: readonly SeenCall[],
  membersOf: (call: SeenCall) => JsonObject,
  isOpen: (name: string, value: JsonValue) => boolean,
): Line | undefined {
  const kinds = new Set(calls.map(({ operation, status }) => `${operation} ${status}`))
  if (kinds.size < 2) return undefined
  const shared = Object.entries(sharedMembers(calls.map(membersOf))).filter(
    ([name, value]) => writeJson(value).length + name.length <= longest && isOpen(name, value),
  )
  if (shared.length === 0) return undefined
  const value = Object.fromEntries(shared)
  return lineOf(calls.map(call => ({ call, value })))
}
