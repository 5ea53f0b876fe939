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

export type Windows = Record<WindowName, Window>

export function copyWindows({ minute, day }: Windows): Windows {
  return { minute: copyWindow(minute), day: copyWindow(day) }
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
  const accepted = minute.used < quota.minute && day.used < quota.day
  if (accepted || settings.countRefused) {
    openWindow(minute, 'minute', at, settings.window, call)
    openWindow(day, 'day', at, settings.window, call)
    minute.used += 1
    day.used += 1
  }
  if (!accepted) return refuseCall(windows, quota, at, settings, call)
  const reported = reportedWindow(windows, quota, settings)
  return { accepted, minute: read(minute, 'minute', quota), day: read(day, 'day', quota), reported }
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
  const minuteFull = minute.used >= quota.minute
  const dayFull = day.used >= quota.day
  if (minuteFull) openWindow(minute, 'minute', at, settings.window, call)
  if (dayFull) openWindow(day, 'day', at, settings.window, call)
  const reported = lastToReset(windows, minuteFull, dayFull)
  return { accepted: false, minute: read(minute, 'minute', quota), day: read(day, 'day', quota), reported }
}

/** What a call that is not counted learns of its windows, as if it opened those that are closed. Changes nothing (A04). */
export function readLimit(windows: Windows, quota: Quota, at: number, settings: LimitSettings): LimitReading {
  const now = copyWindows(windows)
  rollWindows(now, at)
  const { minute, day } = now
  openWindow(minute, 'minute', at, settings.window, 0)
  openWindow(day, 'day', at, settings.window, 0)
  const accepted = minute.used < quota.minute && day.used < quota.day
  const reported = reportedWindow(now, quota, settings)
  return { accepted, minute: read(minute, 'minute', quota), day: read(day, 'day', quota), reported }
}

/** Both windows at an instant, unchanged. */
export function readWindows(windows: Windows, quota: Quota, at: number): Record<WindowName, WindowReading> {
  const copies = copyWindows(windows)
  rollWindows(copies, at)
  return { minute: read(copies.minute, 'minute', quota), day: read(copies.day, 'day', quota) }
}

export function remaining(reading: WindowReading): number {
  return Math.max(0, reading.limit - reading.used)
}

function rollWindows({ minute, day }: Windows, at: number): void {
  rollWindow(minute, 'minute', at)
  rollWindow(day, 'day', at)
}

function read(window: Window, name: WindowName, quota: Quota): WindowReading {
  return { limit: quota[name], used: window.used, endsAt: windowEnd(window, name), openedBy: window.openedBy }
}

function reportedWindow({ minute, day }: Windows, quota: Quota, settings: LimitSettings): WindowName {
  if (settings.headers !== 'tightest') return settings.headers
  return quota.minute - minute.used < quota.day - day.used ? 'minute' : 'day'
}

function lastToReset(windows: Windows, minuteFull: boolean, dayFull: boolean): WindowName {
  if (!minuteFull || !dayFull) return dayFull ? 'day' : 'minute'
  return (windowEnd(windows.day, 'day') ?? 0) >= (windowEnd(windows.minute, 'minute') ?? 0) ? 'day' : 'minute'
}
