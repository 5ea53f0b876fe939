import { formatInstant, httpDate, parseInstant } from '../../base/time/instant.ts'
import { type Answer, refuse } from '../call/answer.ts'
import { type Deprecation, operations } from '../operations/operations.ts'

/** Settings of A17, for every deprecated operation. Instants are milliseconds since the epoch. */
export interface DeprecationSettings {
  /** Without this date there is no `Deprecation` header: RFC 9745 has no form for "date unknown". */
  readonly since: number | undefined
  readonly removedAt: number
  readonly after: 404 | 410 | 'keep'
  /** Times before the removal when the operation answers as if it were removed. */
  readonly brownouts: readonly { readonly from: number; readonly to: number }[]
}

const shipped = operations.find(({ deprecated }) => deprecated !== undefined)?.deprecated

/** The dates of the operations' table. A scenario has one date for all deprecated operations. */
export const defaultDeprecationSettings: DeprecationSettings = {
  since: parseInstant(shipped?.since ?? ''),
  removedAt: parseInstant(shipped?.removedOn ?? '') ?? Number.POSITIVE_INFINITY,
  after: 404,
  brownouts: [],
}

/** The headers of a deprecated operation. `base`: the URL of the API for clients. Their dates ignore the clock's scale (A08, A17). */
export function deprecationHeaders(
  { replacement }: Deprecation,
  { since, removedAt }: DeprecationSettings,
  base: string,
): Record<string, string> {
  return {
    Sunset: httpDate(removedAt),
    ...(since !== undefined && { Deprecation: `@${Math.floor(since / 1_000)}` }),
    Link: `<${base}${replacement.path}>; rel="successor-version"`,
  }
}

/** The refusal of an operation that is removed at this instant, for good or for a brownout; else undefined. */
export function checkRemoval(
  deprecation: Deprecation,
  settings: DeprecationSettings,
  at: number,
  base: string,
): Answer | undefined {
  const { removedAt, after, brownouts } = settings
  if (at >= removedAt) {
    if (after === 'keep') return undefined
    const { method, path, using } = deprecation.replacement
    const message = `This operation was removed on ${formatInstant(removedAt)}: use ${method} /v1${path} with ${using}.`
    return refuse('endpoint_removed', message, undefined, after)
  }
  const brownout = brownouts.find(({ from, to }) => at >= from && at < to)
  if (brownout === undefined) return undefined
  const message = `This operation will be removed. As a warning, it is switched off until ${formatInstant(brownout.to)}.`
  const headers = deprecationHeaders(deprecation, settings, base)
  return refuse('endpoint_removed', message, headers, after === 'keep' ? 404 : after)
}
