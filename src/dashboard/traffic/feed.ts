import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Answer, Plane, PlaneError } from '../plane/plane.ts'
import type { Connection } from '../state/connection.ts'
import { isHidden, isLive, toPlaneError } from '../state/live.ts'
import { busy } from '../state/pace.ts'
import { createPulse } from '../state/pulse.ts'
import { addNewer, type CallRow, countOf, dropBefore, fillGap, type GapRow, type Row, toRow } from './rows.ts'

/** Calls in one batch. At four batches a second, the page shows up to a thousand calls a second. */
const usualSize = 250
/** When calls come faster, there are gaps anyway: the newest calls are enough. */
const busySize = 100
/** Calls that a click on a gap asks for. */
const gapSize = 1_000

export interface Feed {
  readonly rows: ReadonlySignal<readonly Row[]>
  readonly error: ReadonlySignal<PlaneError | undefined>
  readonly isLoaded: ReadonlySignal<boolean>
  readonly isPaused: Signal<boolean>
  /** Somebody looks at the rows. Without that, nothing is read. Returns a function that ends it. */
  readonly show: () => () => void
  readonly waiting: ReadonlySignal<number>
  /** The id of the oldest call that the server still has. */
  readonly firstKept: ReadonlySignal<number>
  /** Puts the calls of a gap into the rows, as far as the server has them. */
  readonly fill: (gap: GapRow) => Promise<void>
  readonly stop: () => void
}

export function createFeed(plane: Plane, connection: Connection, sandbox: string): Feed {
  const rows = signal<readonly Row[]>([])
  const error = signal<PlaneError | undefined>(undefined)
  const isLoaded = signal(false)
  const isPaused = signal(false)
  const isShown = signal(false)
  const waiting = signal(0)
  const firstKept = signal(1)
  let run: string | undefined
  /** The newest id that the rows account for. */
  let known = 0

  const show = (calls: readonly CallRow[], { kept, evicted }: Answer<'listRequests'>['meta']) =>
    batch(() => {
      const last = calls[0]?.id ?? Math.max(known, newest())
      /** The newest id when the journal was last empty. */
      const cleared = last - kept - evicted
      rows.value = addNewer(dropBefore(rows.value, cleared + 1), calls, Math.max(known, cleared))
      known = last
      firstKept.value = last - kept + 1
      waiting.value = 0
    })
  const newest = () => connection.newest.value[sandbox] ?? 0
  const pulse = createPulse(async () => {
    if (isPaused.peek() || !isShown.peek() || isHidden(connection)) return
    const asked = connection.run.value
    const limit = connection.rhythm() === busy ? busySize : usualSize
    try {
      const query = { sandbox, after: known, limit, view: 'rows' } as const
      const { requests, meta } = await plane.call('listRequests', { query })
      error.value = undefined
      // After a restart meanwhile, these may be calls of another run.
      if (asked === connection.run.value) show(requests.map(toRow).reverse(), meta)
      else pulse.want()
    } catch (thrown) {
      const problem = toPlaneError(thrown)
      // The first call to a sandbox creates it.
      const isAbsent = problem.code === 'not_found'
      if (isAbsent) rows.value = []
      error.value = isAbsent ? undefined : problem
    }
    isLoaded.value = true
  }, connection.rhythm)
  const stopEffect = effect(() => {
    if (!isShown.value || !isLive(connection, 'revision')) return
    if (connection.run.value !== run) {
      run = connection.run.value
      known = 0
      rows.value = []
    }
    if (isPaused.value) waiting.value = Math.max(0, newest() - known)
    else pulse.want()
  })
  const startShowing = () => {
    isShown.value = true
    return () => {
      isShown.value = false
    }
  }
  const stop = () => {
    stopEffect()
    pulse.stop()
  }
  const fill = async (gap: GapRow) => {
    const limit = Math.min(gapSize, countOf(gap))
    const query = { sandbox, after: gap.from - 1, before: gap.to + 1, limit, view: 'rows' } as const
    const { requests } = await plane.call('listRequests', { query })
    rows.value = fillGap(rows.value, gap, requests.map(toRow).reverse())
  }
  return { rows, error, isLoaded, isPaused, show: startShowing, waiting, firstKept, fill, stop }
}
