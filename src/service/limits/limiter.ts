import type { Quota } from '../plans/plan.ts'
import {
  copyWindow,
  type LimitSettings,
  openWindow,
  rollWindow,
  type Window,
  type WindowName,
  windowEnd,
} from './window.ts'

export interface Windows extends Record<WindowName, Window> {
  /** The calls a minute that another client makes with the same key. */
  othersPerMinute?: number | undefined
}

export function copyWindows({ minute, day, othersPerMinute }: Windows): Windows {
  return { minute: copyWindow(minute), day: copyWindow(day), othersPerMinute }
}

/** One window as a call left it. */
export interface WindowReading {
  readonly limit: number
  readonly used: number
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
  return { accepted, ...readBoth(windows, quota, at), reported }
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
  const { minute, day } = windows
  const minuteFull = usedIn(windows, 'minute', at) >= quota.minute
  const dayFull = usedIn(windows, 'day', at) >= quota.day
  if (minuteFull) openWindow(minute, 'minute', at, settings.window, call)
  if (dayFull) openWindow(day, 'day', at, settings.window, call)
  const reported = lastToReset(windows, minuteFull, dayFull)
  return { accepted: false, ...readBoth(windows, quota, at), reported }
}

/** What a call that is not counted learns of its windows, as if it opened those that are closed. Changes nothing (A04). */
export function readLimit(windows: Windows, quota: Quota, at: number, settings: LimitSettings): LimitReading {
  const now = copyWindows(windows)
  rollWindows(now, at)
  const { minute, day } = now
  openWindow(minute, 'minute', at, settings.window, 0)
  openWindow(day, 'day', at, settings.window, 0)
  const reported = reportedWindow(now, quota, at, settings)
  return { accepted: hasRoom(now, quota, at), ...readBoth(now, quota, at), reported }
}

/** Both windows at an instant, unchanged. */
export function readWindows(windows: Windows, quota: Quota, at: number): Record<WindowName, WindowReading> {
  const copies = copyWindows(windows)
  rollWindows(copies, at)
  return readBoth(copies, quota, at)
}

export function remaining(reading: WindowReading): number {
  return Math.max(0, reading.limit - reading.used)
}

function rollWindows({ minute, day }: Windows, at: number): void {
  rollWindow(minute, 'minute', at)
  rollWindow(day, 'day', at)
}

/** Calls in a window: those of the client, and since it opened those of another one. */
function usedIn(windows: Windows, name: WindowName, at: number): number {
  const { used, opensAt } = windows[name]
  const { othersPerMinute } = windows
  if (othersPerMinute === undefined || opensAt === undefined) return used
  return used + Math.floor(((at - opensAt) * othersPerMinute) / 60_000)
}

function hasRoom(windows: Windows, quota: Quota, at: number): boolean {
  return usedIn(windows, 'minute', at) < quota.minute && usedIn(windows, 'day', at) < quota.day
}

function readBoth(windows: Windows, quota: Quota, at: number): Record<WindowName, WindowReading> {
  return { minute: read(windows, 'minute', quota, at), day: read(windows, 'day', quota, at) }
}

function read(windows: Windows, name: WindowName, quota: Quota, at: number): WindowReading {
  const window = windows[name]
  const limit = quota[name]
  // The other client gets refusals too: its calls never use more than the quota.
  const used = Math.max(window.used, Math.min(usedIn(windows, name, at), limit))
  return { limit, used, endsAt: windowEnd(window, name), openedBy: window.openedBy }
}

function reportedWindow(windows: Windows, quota: Quota, at: number, settings: LimitSettings): WindowName {
  if (settings.headers !== 'tightest') return settings.headers
  const minuteLeft = quota.minute - usedIn(windows, 'minute', at)
  return minuteLeft < quota.day - usedIn(windows, 'day', at) ? 'minute' : 'day'
}

function lastToReset(windows: Windows, minuteFull: boolean, dayFull: boolean): WindowName {
  if (!minuteFull || !dayFull) return dayFull ? 'day' : 'minute'
  return (windowEnd(windows.day, 'day') ?? 0) >= (windowEnd(windows.minute, 'minute') ?? 0) ? 'day' : 'minute'
}
