import { type LimitSettings, type WindowName, windowLengths, windowNames } from './limiter.ts'
import { resetWriters, waitSeconds } from './retry-after.ts'

/** The values of the three limit headers; `resetsAt` is in milliseconds of the client's time. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** The headers, if settings ask for other ones than those of the specification. */
  readonly fields: Readonly<Record<string, string>> | undefined
}

/** Specification, "Limits". */
export const usualNames = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const

/** The values for a window with `left` calls left, which resets at `resetsAt`. `date`: the client's time of the call. */
export function rateOf(
  reading: Readonly<Record<WindowName, { readonly limit: number }>>,
  name: WindowName,
  left: number,
  resetsAt: number,
  date: number,
  settings: LimitSettings,
): RateLimit {
  const { limit } = reading[name]
  const { dialect = 'x-ratelimit', reset = 'epoch', names } = settings
  if (dialect === 'x-ratelimit' && reset === 'epoch' && names === undefined)
    return { limit, remaining: left, resetsAt, fields: undefined }
  const own = { ...usualNames, ...names }
  const plain = [
    [own.limit, `${limit}`],
    [own.remaining, `${left}`],
    [own.reset, resetWriters[reset](resetsAt, date)],
  ].filter(([header]) => header !== 'off')
  const reported = { name, remaining: left, wait: waitSeconds(resetsAt, date) }
  const fields = {
    ...(dialect !== 'ietf' && Object.fromEntries(plain)),
    ...(dialect !== 'x-ratelimit' && draftFields(reading, reported)),
  }
  return { limit, remaining: left, resetsAt, fields }
}

/** The largest Integer of a structured field (RFC 9651, section 3.3.1). */
const largest = 999_999_999_999_999

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11. `RateLimit-Policy` names both windows, `RateLimit` the one that X-RateLimit describes. `wait`: whole seconds to its end.
 * The parameter `pet-mock-only` says that the service does not promise this.
 */
function draftFields(
  quota: Readonly<Record<WindowName, { readonly limit: number }>>,
  reported: { readonly name: WindowName; readonly remaining: number; readonly wait: number },
): Readonly<Record<string, string>> {
  const policies = windowNames.map(name => {
    const q = Math.min(quota[name].limit, largest)
    return `"${name}";q=${q};w=${windowLengths[name] / 1_000};pet-mock-only`
  })
  const { name, remaining, wait } = reported
  return {
    'RateLimit-Policy': policies.join(', '),
    RateLimit: `"${name}";r=${Math.min(remaining, largest)};t=${Math.min(wait, largest)}`,
  }
}
