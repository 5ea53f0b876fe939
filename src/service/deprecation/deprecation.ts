import { httpDate } from '../../base/time/http-date.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { type Answer, refuse } from '../call/answer.ts'
import type { DeprecationSettings } from './settings.ts'

/** What a deprecated operation tells of itself, as calendar dates in any clock's frame (A08, A17). */
export function deprecationHeaders(settings: DeprecationSettings, successor: string): Record<string, string> {
  const headers: Record<string, string> = { Sunset: httpDate(settings.removedAt) }
  if (settings.since !== undefined) headers.Deprecation = `@${Math.floor(settings.since / 1_000)}`
  headers.Link = `<${successor}>; rel="successor-version"`
  return headers
}

/** The refusal of an operation that is removed at this instant, for good or for a brownout; else undefined. */
export function checkRemoval(
  settings: DeprecationSettings,
  at: number,
  successor: string,
): Answer | undefined {
  if (at >= settings.removedAt) {
    if (settings.after === 'keep') return undefined
    const message = `This operation was removed on ${formatInstant(settings.removedAt)}: use GET /v1/pets with its status filter.`
    return refuse('endpoint_removed', message, undefined, settings.after)
  }
  const brownout = settings.brownouts.find(({ from, to }) => at >= from && at < to)
  if (brownout === undefined) return undefined
  const message = `This operation will be removed, and is switched off until ${formatInstant(brownout.to)} to give notice of it.`
  const status = settings.after === 'keep' ? 404 : settings.after
  return refuse('endpoint_removed', message, deprecationHeaders(settings, successor), status)
}
