import type { BanSettings } from './settings.ts'

/** What stands against a key. Instants are milliseconds since the epoch, in the emulator's time. */
export interface Strikes {
  /** Refused calls since the last accepted one. */
  count: number
  firstAt: number | undefined
  bannedUntil: number | undefined
  /** Bans so far, for escalation. */
  bans: number
}

export function noStrikes(): Strikes {
  return { count: 0, firstAt: undefined, bannedUntil: undefined, bans: 0 }
}

/** Field by field: strikes that have been through JSON lack those that have no value. */
export function copyStrikes({ count, firstAt, bannedUntil, bans }: Strikes): Strikes {
  return { count, firstAt, bannedUntil, bans }
}

/** Whether the key is banned at an instant. A ban that is over takes its strikes with it (A10). */
export function isBanned(strikes: Strikes, at: number): boolean {
  if (strikes.bannedUntil === undefined) return false
  if (at < strikes.bannedUntil) return true
  strikes.bannedUntil = undefined
  forgive(strikes)
  return false
}

/** An accepted call wipes the strikes. */
export function forgive(strikes: Strikes): void {
  strikes.count = 0
  strikes.firstAt = undefined
}

/** Holds a refused call against the key; true when it is the one that bans. */
export function strike(strikes: Strikes, at: number, settings: BanSettings): boolean {
  if (strikes.firstAt !== undefined && at - strikes.firstAt < settings.graceMs) return false
  strikes.firstAt ??= at
  strikes.count += 1
  if (strikes.count < settings.after) return false
  strikes.bannedUntil = banEnd(at, banLength(settings, strikes.bans))
  strikes.bans += 1
  return true
}

/** A call during a ban changes nothing, unless the setting says that it starts the ban anew. */
export function callWhileBanned(strikes: Strikes, at: number, settings: BanSettings): void {
  if (settings.extend) strikes.bannedUntil = banEnd(at, banLength(settings, strikes.bans - 1))
}

/** A ban starts on a whole second, so that its end and `Retry-After` agree (A10, A08). */
export function banEnd(at: number, lengthMs: number): number {
  return Math.floor(at / 1_000) * 1_000 + lengthMs
}

function banLength({ forMs, escalate }: BanSettings, earlierBans: number): number {
  if (escalate === undefined) return forMs
  return Math.min(escalate.maxMs, forMs * escalate.factor ** Math.max(0, earlierBans))
}
