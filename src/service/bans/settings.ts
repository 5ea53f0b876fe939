/** Settings of A10. Lengths are milliseconds. */
export interface BanSettings {
  /** The refused call that bans: the 10th since the key's last accepted one. */
  readonly after: number
  readonly forMs: number
  /** Refusals this soon after the first one are not held against the key. */
  readonly graceMs: number
  readonly escalate: { readonly factor: number; readonly maxMs: number } | undefined
  /** Calls during a ban start it anew. */
  readonly extend: boolean
  readonly status: 429 | 401 | 403
}

export const defaultBanSettings: BanSettings = {
  after: 10,
  forMs: 300_000,
  graceMs: 0,
  escalate: undefined,
  extend: false,
  status: 429,
}
