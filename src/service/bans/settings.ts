/** Settings of A10. Lengths are milliseconds. */
export interface BanSettings {
  /** How many refused calls since the last accepted one ban a key. */
  readonly after: number
  readonly forMs: number
  /** Refusals this soon after the first one are no strikes. */
  readonly graceMs: number
  readonly escalate: { readonly factor: number; readonly maxMs: number } | undefined
  /** Calls during a ban restart it. */
  readonly extend: boolean
  readonly status: 429 | 401 | 403
}
