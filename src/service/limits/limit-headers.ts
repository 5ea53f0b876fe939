import {
  type LimitSettings,
  type WindowName,
  type WindowReading,
  windowLengths,
  windowNames,
} from './limiter.ts'
import { waitSeconds } from './retry-after.ts'

/** The values of the three limit headers; `resetsAt` is in milliseconds of the client's time. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** Absent unless a setting asks for them. */
  readonly draft: DraftFields | undefined
}

/** The values for a window with `left` calls left, which resets at `resetsAt`. `date`: the client's time of the call. */
export function rateOf(
  reading: Readonly<Record<WindowName, WindowReading>>,
  name: WindowName,
  left: number,
  resetsAt: number,
  date: number,
  dialect: LimitSettings['dialect'],
): RateLimit {
  const { limit } = reading[name]
  const values = { limit, remaining: left, resetsAt, draft: undefined }
  if (dialect === undefined || dialect === 'x-ratelimit') return values
  const wait = waitSeconds(resetsAt, date)
  return { ...values, draft: draftFields(dialect, reading, { name, remaining: left, wait }) }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-11, as texts. */
interface DraftFields {
  readonly policy: string
  readonly limit: string
  /** Whether they replace the headers of the specification. */
  readonly isAlone: boolean
}

/** The largest Integer of a structured field (RFC 9651, section 3.3.1). */
const largest = 999_999_999_999_999

/**
 * `RateLimit-Policy` names both windows, `RateLimit` the one that X-RateLimit describes. `wait`: whole seconds to its end.
 * The parameter `pet-mock-only` says that the service does not promise this.
 */
function draftFields(
  dialect: 'ietf' | 'both',
  quota: Readonly<Record<WindowName, { readonly limit: number }>>,
  reported: { readonly name: WindowName; readonly remaining: number; readonly wait: number },
): DraftFields {
  const policies = windowNames.map(name => {
    const q = Math.min(quota[name].limit, largest)
    return `"${name}";q=${q};w=${windowLengths[name] / 1_000};pet-mock-only`
  })
  const { name, remaining, wait } = reported
  return {
    policy: policies.join(', '),
    limit: `"${name}";r=${Math.min(remaining, largest)};t=${Math.min(wait, largest)}`,
    isAlone: dialect === 'ietf',
  }
}
