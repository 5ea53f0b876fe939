import type { Severity } from '../report/finding.ts'

/** A check of a service by the answers that it sends. Ids that `pet-mock check` has mean the same there. */
interface ServiceCheck {
  readonly severity: Severity
  /** What must hold, as a sentence without its full stop. */
  readonly says: string
  readonly remedy: string
  readonly source: string
}

const rateLimitHeaders = 'Specification, "Rate limit headers"'
const exceeding = 'Specification, "Exceeding a limit"'
const oneCounter = 'If several instances run, let them share one counter.'

/** Every check, the errors first. docs/proxy.md has a row for each. */
const checks = {
  'auth-missing': {
    severity: 'error',
    says: 'a request without a key must get 401',
    remedy: 'Check the key before the operation runs.',
    source: 'Specification, "Authentication"',
  },
  'error-status': {
    severity: 'error',
    says: 'the status in an Error must be the status of the response',
    remedy: 'Write the HTTP status of the response into the field status.',
    source: 'Specification, "Errors"',
  },
  'limit-headers': {
    severity: 'error',
    says: 'an error must have the three rate limit headers, too',
    remedy: 'Add X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset to errors.',
    source: rateLimitHeaders,
  },
  'limit-counts-down': {
    severity: 'error',
    says: 'X-RateLimit-Remaining must decrease with every request in a window',
    remedy: `Count each accepted request once. ${oneCounter}`,
    source: rateLimitHeaders,
  },
  'limit-reset-seconds': {
    severity: 'error',
    says: 'X-RateLimit-Reset must be a Unix timestamp in seconds',
    remedy: 'Send the seconds since 1970, not milliseconds and not the seconds left.',
    source: rateLimitHeaders,
  },
  'limit-reset-ahead': {
    severity: 'error',
    says: 'X-RateLimit-Reset must not be in the past',
    remedy: 'Send the end of the window that runs now.',
    source: rateLimitHeaders,
  },
  'limit-reset-steady': {
    severity: 'error',
    says: 'X-RateLimit-Reset must not jump within a window',
    remedy: `Keep the end of a window until it is over. ${oneCounter}`,
    source: rateLimitHeaders,
  },
  'page-continues': {
    severity: 'error',
    says: 'the links rel="next" must lead to every animal, once',
    remedy: 'Let each link lead to the page after the last animal of its own page.',
    source: 'RFC 8288',
  },
  'retry-missing': {
    severity: 'error',
    says: '429 must have Retry-After',
    remedy: 'Send Retry-After with each 429.',
    source: exceeding,
  },
  'retry-format': {
    severity: 'error',
    says: 'Retry-After must be a number of seconds, or a date',
    remedy: 'Send whole seconds, or an HTTP date.',
    source: 'RFC 9110, section 10.2.3',
  },
  'retry-past': {
    severity: 'error',
    says: 'Retry-After must not be in the past',
    remedy: 'Send the time when requests are accepted again.',
    source: exceeding,
  },
  'retry-agrees': {
    severity: 'info',
    says: 'Retry-After and X-RateLimit-Reset must name the same instant',
    remedy: 'The specification leaves this open: it is assumption A08 of pet-mock (docs/assumptions.md).',
    source: 'assumption A08',
  },
} satisfies Record<string, ServiceCheck>

export type ServiceId = keyof typeof checks

export const serviceChecks: Readonly<Record<ServiceId, ServiceCheck>> = checks

export const serviceIds = Object.keys(checks) as readonly ServiceId[]
