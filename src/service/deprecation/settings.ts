import { parseInstant } from '../../base/time/instant.ts'
import { operations } from '../operations/operations.ts'

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
