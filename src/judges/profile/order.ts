import { formatDuration } from '../../base/time/duration.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Line } from '../../control/profile/profile.ts'
import { operationIds } from '../../service/operations/operations.ts'
import { removalsOf } from './errors.ts'
import type { SeenCall } from './seen-call.ts'
import { type Lines, lineOf, type Sighting, summarize } from './sightings.ts'

/** The order of checks that a single response shows (A01). `codeOf`: the service's code of an error, if it is known. */
export function learnOrder(calls: readonly SeenCall[], codeOf: (name: string) => unknown): Lines {
  const missing = new Set(
    calls
      .filter(({ key, isRouted, status }) => key !== null && !isRouted && status === 404)
      .map(({ path }) => path),
  )
  const unknownPath = calls.flatMap((call): Sighting[] => {
    const { key, isRouted, status, path } = call
    if (key !== null || isRouted || !missing.has(path)) return []
    if (status === 404) return [{ call, value: 'before-key' }]
    return status === 401 ? [{ call, value: 'after-key' }] : []
  })
  const contentType = calls.flatMap((call): Sighting[] => {
    const { wrong, status, json } = call
    if (status !== 400 || wrong === undefined || wrong.code === wrong.lastCode) return []
    const [first, last] = [codeOf(wrong.code), codeOf(wrong.lastCode)]
    if (first === undefined || last === undefined || first === last) return []
    if (json?.code === first) return [{ call, value: 'before-schema' }]
    return json?.code === last ? [{ call, value: 'after-schema' }] : []
  })
  return { 'order.unknownPath': lineOf(unknownPath), 'order.contentType': lineOf(contentType) }
}

/** Dates and removal of the deprecated operation (A17). A brownout answers 404 with its headers. */
export function learnDeprecation(calls: readonly SeenCall[]): Lines {
  const removals = removalsOf(calls)
  const own = calls.filter(({ operation, method }) => operation === 'getPet' && method === 'GET')
  const removedAt = own.flatMap((call): Sighting[] => {
    const until = readHttpDate(call.headers.sunset ?? '', call.date ?? 0)?.ms
    return until === undefined ? [] : [{ call, value: formatInstant(until) }]
  })
  const since = own.flatMap((call): Sighting[] => {
    const seconds = /^@(\d{1,11})$/.exec(call.headers.deprecation ?? '')?.[1]
    return seconds === undefined ? [] : [{ call, value: formatInstant(Number(seconds) * 1_000) }]
  })
  const after = own.flatMap((call): Sighting[] => {
    const { status, date = 0, headers } = call
    const until = readHttpDate(headers.sunset ?? '', date)?.ms
    if (removals.get(call) === true)
      return status === 410 || until === undefined ? [{ call, value: status }] : []
    return status === 200 && until !== undefined && until <= date ? [{ call, value: 'keep' }] : []
  })
  return {
    'deprecation.since': lineOf(since),
    'deprecation.removedAt': lineOf(removedAt),
    'deprecation.after': lineOf(after),
  }
}

const fewest = 20

/** Median and 99th percentile of each operation's accepted calls, as the client measured them. */
export function learnLatency(calls: readonly SeenCall[]): Lines {
  const lines = operationIds.flatMap((id): [string, Line][] => {
    const own = calls.filter(
      ({ operation, status, sentAt, answeredAt }) => operation === id && status < 300 && answeredAt > sentAt,
    )
    if (own.length < fewest) return []
    const took = own.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
    const at = (part: number) => formatDuration(took[Math.ceil(part * took.length) - 1] ?? 0)
    const value = { median: at(0.5), p99: at(0.99) }
    return [[`latency.${id}`, { value, state: 'observed', ...summarize(own.map(call => ({ call }))) }]]
  })
  return Object.fromEntries(lines)
}
