import type { PlaneRequest } from '../../generated/plane-operations.ts'

export const mostRows = 10_000

/** Puts newer calls on top of the rows. Ids grow by one: missing ones become a gap. `known`: the newest id of the rows. */
export function addNewer(rows: readonly Row[], newer: readonly CallRow[], known: number): readonly Row[] {
  const oldest = newer.at(-1)
  if (oldest === undefined) return rows
  const gap = gapBetween(known, oldest.id)
  const all = gap === undefined ? [...newer, ...rows] : [...newer, ...joinGap(gap, rows)]
  return all.length > mostRows ? all.slice(0, mostRows) : all
}

/** Replaces a gap by the calls in it, and by smaller gaps where calls are still missing. */
export function fillGap(rows: readonly Row[], gap: GapRow, found: readonly CallRow[]): readonly Row[] {
  const inside = found.filter(({ id }) => id >= gap.from && id <= gap.to)
  const filled: Row[] = []
  let next = gap.to + 1
  for (const call of inside) {
    const missing = gapBetween(call.id, next)
    if (missing !== undefined) filled.push(missing)
    filled.push(call)
    next = call.id
  }
  const missing = gapBetween(gap.from - 1, next)
  if (missing !== undefined) filled.push(missing)
  return rows.flatMap(row => (keyOf(row) === keyOf(gap) ? filled : [row])).slice(0, mostRows)
}

/** Drops what the server forgot: it was reset, or its journal was emptied. */
export function dropBefore(rows: readonly Row[], first: number): readonly Row[] {
  const last = rows.at(-1)
  if (last === undefined || (last.kind === 'call' ? last.id : last.from) >= first) return rows
  return rows.flatMap((row): Row[] => {
    if (row.kind === 'call') return row.id >= first ? [row] : []
    return row.to >= first ? [{ ...row, from: Math.max(row.from, first) }] : []
  })
}

function gapBetween(older: number, newer: number): GapRow | undefined {
  return newer - older > 1 ? { kind: 'gap', from: older + 1, to: newer - 1 } : undefined
}

function joinGap(gap: GapRow, rows: readonly Row[]): readonly Row[] {
  const [top, ...rest] = rows
  return top?.kind === 'gap' && top.to + 1 === gap.from
    ? [{ ...gap, from: top.from }, ...rest]
    : [gap, ...rows]
}

export function countOf({ from, to }: GapRow): number {
  return to - from + 1
}

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
