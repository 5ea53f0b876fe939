/** Settings of A17, for the deprecated getPet. Instants are milliseconds since the epoch. */
export interface DeprecationSettings {
  /** The instant of deprecation; without one, no `Deprecation` header is sent: RFC 9745 has no form for "date unknown". */
  readonly since: number | undefined
  readonly removedAt: number
  readonly after: 404 | 410 | 'keep'
  /** Times before the removal at which the operation already answers as if it were removed. */
  readonly brownouts: readonly { readonly from: number; readonly to: number }[]
}

/** Specification, "Versioning": removed on 5 December 2030; the start of that day, UTC, is assumed (A17). */
export const defaultDeprecationSettings: DeprecationSettings = {
  since: undefined,
  removedAt: Date.UTC(2030, 11, 5),
  after: 404,
  brownouts: [],
}
