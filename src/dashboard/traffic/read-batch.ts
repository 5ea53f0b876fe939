import type { Plane } from '../plane/plane.ts'
import { type CallRow, toRow } from './row.ts'

/** Calls in one batch. At four batches a second, the page shows up to a thousand calls a second. */
const usualSize = 250
/** When calls come faster, there are gaps anyway: the newest calls are enough. */
const busySize = 100

/** The newest calls, and where the journal of the sandbox stands. */
export interface Batch {
  readonly calls: readonly CallRow[]
  readonly newest: number
  /** The id of the oldest call that the server still has. */
  readonly firstKept: number
  /** The newest id when the journal was last empty. */
  readonly cleared: number
}

/** Reads the calls after `known`, or the newest of them. `newest`: the newest id of the last event. */
export async function readBatch(
  plane: Plane,
  sandbox: string,
  known: number,
  newest: () => number,
  isBusy: boolean,
): Promise<Batch> {
  const query = { sandbox, after: known, limit: isBusy ? busySize : usualSize, view: 'rows' } as const
  const { requests, meta } = await plane.call('listRequests', { query })
  const last = requests.at(-1)?.id ?? Math.max(known, newest())
  return {
    calls: requests.map(toRow).reverse(),
    newest: last,
    firstKept: last - meta.kept + 1,
    cleared: last - meta.kept - meta.evicted,
  }
}
