import type { RetryAfterForms } from './retry-after-forms.ts'

/** The limit headers of replies. The specification has X-RateLimit only. */
export type Dialect = 'x-ratelimit' | 'ietf' | 'both'

/** Settings of A04 to A08. */
export interface LimitSettings {
  readonly window: 'first-call' | 'calendar'
  readonly headers: 'tightest' | 'minute' | 'day'
  readonly countRefused: boolean
  readonly retryAfter: RetryAfterForms
  readonly anonymous: 'report' | 'enforce'
  /** Absent in snapshots of older versions: `x-ratelimit`. */
  readonly dialect?: Dialect | undefined
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
export function copyWindow({ opensAt, used, openedBy }: Window): Window {
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

export function windowEnd(window: Window, name: WindowName): number | undefined {
  return window.opensAt === undefined ? undefined : window.opensAt + windowLengths[name]
}
