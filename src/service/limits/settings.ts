/** Settings of A04 to A08. */
export interface LimitSettings {
  readonly window: 'first-call' | 'calendar'
  readonly headers: 'tightest' | 'minute' | 'day'
  readonly countRefused: boolean
  readonly retryAfter: 'seconds' | 'http-date'
  readonly anonymous: 'report' | 'enforce'
}
