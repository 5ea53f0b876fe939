import type { Answer } from '../call/answer.ts'
import type { Quota } from '../plans/plan.ts'
import type { ResetForm, RetryAfterForm, RetryAfterForms } from './retry-after.ts'

export interface Windows extends Record<WindowName, Window> {
  /** The calls a minute that another client makes with the same key. */
  othersPerMinute?: number | undefined
  /** The refusals so far. Counted only if they choose the form of `Retry-After`. */
  refusals?: number | undefined
  /** The last refusal and its causes. Snapshots leave it out. */
  lastRefusal?: { readonly causes: readonly unknown[]; readonly answer: Answer }
}

/** The last refusal again, if nothing in it differs: a client that retries at once gets the same text. */
export function sameRefusal(windows: Windows, causes: readonly unknown[], make: () => Answer): Answer {
  const last = windows.lastRefusal
  if (last?.causes.length === causes.length) {
    let place = 0
    while (place < causes.length && causes[place] === last.causes[place]) place += 1
    if (place === causes.length) return last.answer
  }
  const answer = make()
  windows.lastRefusal = { causes, answer }
  return answer
}

export function copyWindows({ minute, day, othersPerMinute, refusals }: Windows): Windows {
  return { minute: copyWindow(minute), day: copyWindow(day), othersPerMinute, refusals }
}

/** Takes back a call that was counted at `reading`, unless a window is over. `before`: the windows before it. */
export function takeBack(windows: Windows, before: Windows, reading: LimitReading): void {
  for (const name of windowNames) {
    const window = windows[name]
    const { openedBy, used, others } = reading[name]
    if (window.openedBy !== openedBy) continue
    // If later calls count already, the window stays open.
    if (window.used === used - others) windows[name] = before[name]
    else window.used -= 1
  }
}

/** The form of `Retry-After` for a refusal, which is counted if the forms take turns. */
export function takeForm(windows: Windows, forms: RetryAfterForms): RetryAfterForm {
  if (typeof forms === 'string') return forms
  const { refusals = 0 } = windows
  windows.refusals = refusals + 1
  return forms[refusals % forms.length] ?? 'seconds'
}

export interface WindowReading {
  readonly limit: number
  readonly used: number
  /** The calls of another client among them. */
  readonly others: number
  /** Milliseconds since the epoch, in the emulator's time; absent until a counted call opens the window. */
  readonly endsAt: number | undefined
  /** Id of the exchange that opened the window. */
  readonly openedBy: number | undefined
}

export interface LimitReading {
  readonly accepted: boolean
  readonly minute: WindowReading
  readonly day: WindowReading
  /** The window that the headers report (A06). */
  readonly reported: WindowName
}

/** Counts a call in both windows if both have room (A06). A refused call uses nothing in either (A07). */
export function takeCall(
  windows: Windows,
  quota: Quota,
  at: number,
  settings: LimitSettings,
  call: number,
): LimitReading {
  rollWindows(windows, at)
  const { minute, day } = windows
  const accepted = hasRoom(windows, quota, at)
  if (accepted || settings.countRefused) {
    openWindow(minute, 'minute', at, settings.window, call)
    openWindow(day, 'day', at, settings.window, call)
    minute.used += 1
    day.used += 1
  }
  if (!accepted) return refuseCall(windows, quota, at, settings, call)
  const reported = reportedWindow(windows, quota, at, settings)
  return readingOf(windows, quota, at, accepted, reported)
}

/**
 * The reading for a refused call, with nothing counted. It opens a window that was exhausted from the start, so that it
 * has an end for the headers (A08, A10).
 */
export function refuseCall(
  windows: Windows,
  quota: Quota,
  at: number,
  settings: LimitSettings,
  call: number,
): LimitReading {
  rollWindows(windows, at)
  const { minute, day, othersPerMinute } = windows
  const minuteFull = usedIn(minute, quota, othersPerMinute, at) >= quota.minute
  const dayFull = usedIn(day, quota, othersPerMinute, at) >= quota.day
  if (minuteFull) openWindow(minute, 'minute', at, settings.window, call)
  if (dayFull) openWindow(day, 'day', at, settings.window, call)
  const reported = lastToReset(windows, minuteFull, dayFull)
  return readingOf(windows, quota, at, false, reported)
}

/** What a call that is not counted learns of its windows, as if it opened those that are closed. Changes nothing (A04). */
export function readLimit(windows: Windows, quota: Quota, at: number, settings: LimitSettings): LimitReading {
  const now = copyWindows(windows)
  rollWindows(now, at)
  const { minute, day } = now
  openWindow(minute, 'minute', at, settings.window, 0)
  openWindow(day, 'day', at, settings.window, 0)
  const reported = reportedWindow(now, quota, at, settings)
  return readingOf(now, quota, at, hasRoom(now, quota, at), reported)
}

/** Both windows at an instant, unchanged. */
export function readWindows(windows: Windows, quota: Quota, at: number): Record<WindowName, WindowReading> {
  const copies = copyWindows(windows)
  rollWindows(copies, at)
  const { minute, day, othersPerMinute } = copies
  return {
    minute: read(minute, 'minute', quota, othersPerMinute, at),
    day: read(day, 'day', quota, othersPerMinute, at),
  }
}

export function remaining(reading: WindowReading): number {
  return Math.max(0, reading.limit - reading.used)
}

function rollWindows({ minute, day }: Windows, at: number): void {
  rollWindow(minute, 'minute', at)
  rollWindow(day, 'day', at)
}

function hasRoom({ minute, day, othersPerMinute }: Windows, quota: Quota, at: number): boolean {
  return (
    usedIn(minute, quota, othersPerMinute, at) < quota.minute &&
    usedIn(day, quota, othersPerMinute, at) < quota.day
  )
}

function readingOf(
  { minute, day, othersPerMinute }: Windows,
  quota: Quota,
  at: number,
  accepted: boolean,
  reported: WindowName,
): LimitReading {
  return {
    accepted,
    minute: read(minute, 'minute', quota, othersPerMinute, at),
    day: read(day, 'day', quota, othersPerMinute, at),
    reported,
  }
}

function read(
  window: Window,
  name: WindowName,
  quota: Quota,
  othersPerMinute: number | undefined,
  at: number,
): WindowReading {
  // Not `quota[name]`: engines are slow to read a property whose name varies.
  const limit = name === 'minute' ? quota.minute : quota.day
  // The other client gets refusals too: its calls never use more than the quota.
  const used =
    othersPerMinute === undefined
      ? window.used
      : Math.max(window.used, Math.min(usedIn(window, quota, othersPerMinute, at), limit))
  return {
    limit,
    used,
    others: used - window.used,
    endsAt: windowEnd(window, name),
    openedBy: window.openedBy,
  }
}

function reportedWindow(
  { minute, day, othersPerMinute }: Windows,
  quota: Quota,
  at: number,
  settings: LimitSettings,
): WindowName {
  if (settings.headers !== 'tightest') return settings.headers
  const minuteLeft = quota.minute - usedIn(minute, quota, othersPerMinute, at)
  return minuteLeft < quota.day - usedIn(day, quota, othersPerMinute, at) ? 'minute' : 'day'
}

function lastToReset(windows: Windows, minuteFull: boolean, dayFull: boolean): WindowName {
  if (!minuteFull || !dayFull) return dayFull ? 'day' : 'minute'
  return (windowEnd(windows.day, 'day') ?? 0) >= (windowEnd(windows.minute, 'minute') ?? 0) ? 'day' : 'minute'
}

/** Settings of A04 to A08. */
export interface LimitSettings {
  readonly window: 'first-call' | 'calendar'
  readonly headers: 'tightest' | 'minute' | 'day'
  readonly countRefused: boolean
  readonly retryAfter: RetryAfterForms
  readonly anonymous: 'report' | 'enforce'
  /**
   * The limit headers of replies: the specification has X-RateLimit only. Absent in snapshots of older versions, as are
   * the next ones: `x-ratelimit`.
   */
  readonly dialect?: 'x-ratelimit' | 'ietf' | 'both' | undefined
  /** Whether calls that get 400 or 404 count (A03). */
  readonly countInvalid?: boolean
  readonly names?: Readonly<Record<'limit' | 'remaining' | 'reset', string>> | undefined
  readonly reset?: ResetForm
}

export const windowNames = ['minute', 'day'] as const
export type WindowName = (typeof windowNames)[number]

/** Milliseconds (A05). */
export const windowLengths: Readonly<Record<WindowName, number>> = { minute: 60_000, day: 86_400_000 }

/** A fixed window. Until a call opens it, `used` is the scenario's (A05). */
export interface Window {
  opensAt: number | undefined
  used: number
  /** Id of the exchange that opened it. */
  openedBy: number | undefined
}

export function newWindow(used: number): Window {
  return { opensAt: undefined, used, openedBy: undefined }
}

/** Field by field: a window read from JSON lacks undefined fields. */
function copyWindow({ opensAt, used, openedBy }: Window): Window {
  return { opensAt, used, openedBy }
}

/** Closes and empties a window that is over. Nothing schedules this: every reader calls it first. */
export function rollWindow(window: Window, name: WindowName, at: number): void {
  if (window.opensAt === undefined || at < window.opensAt + windowLengths[name]) return
  window.opensAt = undefined
  window.openedBy = undefined
  window.used = 0
}

/** Opens a closed window at a whole second, so that its end is one too and headers add up exactly (A05, A08). */
export function openWindow(
  window: Window,
  name: WindowName,
  at: number,
  kind: LimitSettings['window'],
  call: number,
): void {
  if (window.opensAt !== undefined) return
  // UTC days and minutes begin at multiples of their length since the epoch.
  const grain = kind === 'calendar' ? windowLengths[name] : 1_000
  window.opensAt = Math.floor(at / grain) * grain
  window.openedBy = call
}

function windowEnd(window: Window, name: WindowName): number | undefined {
  return window.opensAt === undefined ? undefined : window.opensAt + windowLengths[name]
}

/** Calls in a window: those of the client, and since it opened those of another one. */
export function usedIn(
  { used, opensAt }: Window,
  quota: Quota,
  othersPerMinute: number | undefined,
  at: number,
): number {
  if (othersPerMinute === undefined || opensAt === undefined) return used
  return used + othersIn(at - opensAt, othersPerMinute, quota.minute)
}

/** The accepted calls of another client: each minute at most the quota, since it gets refusals too (A07). */
function othersIn(ms: number, perMinute: number, quota: number): number {
  if (perMinute <= quota) return Math.floor((ms * perMinute) / 60_000)
  const rest = Math.floor(((ms % 60_000) * perMinute) / 60_000)
  return Math.floor(ms / 60_000) * quota + Math.min(rest, quota)
}
