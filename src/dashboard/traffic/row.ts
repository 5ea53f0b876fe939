import type { PlaneRequest } from '../../generated/plane-operations.ts'

/** What the list needs of a request. Headers and bodies stay in the server. */
export interface CallRow
  extends Pick<
    PlaneRequest,
    | 'id'
    | 'sandbox'
    | 'at'
    | 'method'
    | 'target'
    | 'path'
    | 'status'
    | 'code'
    | 'operation'
    | 'key'
    | 'plan'
    | 'refused'
    | 'synthetic'
    | 'durationMs'
  > {
  readonly kind: 'call'
  /** What the quotas have left after it; undefined: it was not counted. */
  readonly left: { readonly minute: number; readonly day: number } | undefined
}

/** Calls that the page does not show. They came too fast, or while nobody looked. */
export interface GapRow {
  readonly kind: 'gap'
  /** The ids of the first and the last of them. */
  readonly from: number
  readonly to: number
}

export type Row = CallRow | GapRow

export function keyOf(row: Row): string {
  return row.kind === 'call' ? `${row.id}` : `gap ${row.to}`
}

/** The key of a call, masked, or why it has none. */
export function showCaller({ key, code }: Pick<PlaneRequest, 'key' | 'code'>): string {
  if (key !== null) return key
  if (code === 'invalid_api_key') return 'unknown key'
  return code === 'missing_api_key' ? 'no key' : 'no valid key'
}

export function toRow({ limit, ...request }: Omit<PlaneRequest, 'request' | 'response'>): CallRow {
  const left = limit === null ? undefined : { minute: limit.minute.remaining, day: limit.day.remaining }
  return { ...request, kind: 'call', left }
}
