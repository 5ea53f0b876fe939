import { maxBody } from '../../../service/call/call.ts'

/** Limits of the bodies that the admin plane reads. docs/admin.md lists them. */
export const bodyLimits = {
  /** Bytes, on every route but snapshot. */
  most: maxBody,
  /** Bytes of all snapshots that are read at the same time, unless `--snapshot-limit` sets it. A million pets fit. */
  snapshot: 268_435_456,
  /** Bodies that are read at the same time. */
  atOnce: 16,
  /** Milliseconds that one more waits for a place. */
  waitMs: 1_000,
  /** Milliseconds until a body has arrived, or the next MiB of a snapshot. */
  arrivesMs: 10_000,
} as const
