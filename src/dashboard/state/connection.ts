import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { PlaneEvent, Watch } from '../plane/plane.ts'
import { isLockedOut } from '../plane/plane.ts'
import { createPace, type Rhythm } from './pace.ts'

/** `hidden`: nobody looks at the page, so it reads nothing. */
export type Status =
  | { readonly kind: 'connecting' | 'live' | 'hidden' | 'refused' }
  | { readonly kind: 'lost'; readonly nextTryInMs: number }

export interface Connection {
  readonly status: ReadonlySignal<Status>
  /** The run of the server that answers. Undefined until its first event. */
  readonly run: ReadonlySignal<string | undefined>
  /** How often the server was restarted since the page was opened. */
  readonly restarts: ReadonlySignal<number>
  /** Changes whenever something in the server may have changed. */
  readonly revision: ReadonlySignal<string>
  /** Changes whenever something may have changed that calls leave alone: the clock, the scenario, rules, keys. */
  readonly changes: ReadonlySignal<string>
  readonly rhythm: () => Rhythm
  readonly newest: ReadonlySignal<Readonly<Record<string, number>>>
  readonly retry: () => void
  readonly stop: () => void
}

const firstPauseMs = 500
const longestPauseMs = 8_000

/** Reads events as long as somebody looks, and connects again with growing pauses. */
export function createConnection(watch: Watch, document: Document): Connection {
  const status = signal<Status>({ kind: 'connecting' })
  const run = signal<string | undefined>(undefined)
  const restarts = signal(0)
  const revision = signal('')
  const changes = signal('')
  const newest = signal<Readonly<Record<string, number>>>({})
  const { rhythm, countCalls } = createPace()
  let stopWatching = () => {}
  let pauseMs = firstPauseMs

  const onEvent = (event: PlaneEvent) =>
    batch(() => {
      pauseMs = firstPauseMs
      const isRestart = run.value !== undefined && run.value !== event.start
      if (isRestart) restarts.value += 1
      if (run.value !== event.start) newest.value = {}
      countCalls(event.revision - event.changes, performance.now())
      run.value = event.start
      newest.value = { ...newest.value, ...event.newest }
      revision.value = `${event.start}-${event.revision}`
      changes.value = `${event.start}-${event.changes}`
      if (status.value.kind !== 'live') status.value = { kind: 'live' }
    })

  const open = () => {
    stopWatching()
    if (document.visibilityState === 'hidden') {
      stopWatching = () => {}
      status.value = { kind: 'hidden' }
      return
    }
    if (status.value.kind !== 'lost') status.value = { kind: 'connecting' }
    stopWatching = watch(onEvent, error => {
      if (error !== undefined && isLockedOut(error)) {
        status.value = { kind: 'refused' }
        return
      }
      status.value = { kind: 'lost', nextTryInMs: pauseMs }
      const timer = setTimeout(open, pauseMs)
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
      stopWatching = () => clearTimeout(timer)
    })
  }
  document.addEventListener('visibilitychange', open)
  open()
  const stop = () => {
    document.removeEventListener('visibilitychange', open)
    stopWatching()
  }
  return { status, run, restarts, revision, changes, rhythm, newest, retry: open, stop }
}
