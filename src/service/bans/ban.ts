/** Settings of A10. Lengths are milliseconds. */
export interface BanSettings {
  /** How many refused calls since the last accepted one ban a key. */
  readonly after: number
  readonly forMs: number
  /** Refusals this soon after the first one are no strikes. */
  readonly graceMs: number
  readonly escalate: { readonly factor: number; readonly maxMs: number } | undefined
  /** Calls during a ban restart it. */
  readonly extend: boolean
  readonly status: 429 | 401 | 403
}

/** A key's refused calls and bans. Instants are milliseconds since the epoch, in the emulator's time. */
export interface Strikes {
  /** Refused calls since the last accepted one. */
  count: number
  firstAt: number | undefined
  bannedUntil: number | undefined
  /** Whether a command imposed the ban, and no refused call. */
  byHand: boolean | undefined
  bans: number
}

export function noStrikes(): Strikes {
  return { count: 0, firstAt: undefined, bannedUntil: undefined, byHand: undefined, bans: 0 }
}

/** Field by field: strikes read from JSON lack undefined fields. */
export function copyStrikes({ count, firstAt, bannedUntil, byHand, bans }: Strikes): Strikes {
  return { count, firstAt, bannedUntil, byHand, bans }
}

/** Lifts a ban that is over, and clears its strikes (A10). Nothing schedules this: a call does it first. */
export function rollStrikes(strikes: Strikes, at: number): void {
  if (strikes.bannedUntil !== undefined && at >= strikes.bannedUntil) lift(strikes)
}

/** Ends a ban. Its strikes are forgotten. */
export function lift(strikes: Strikes): void {
  strikes.bannedUntil = undefined
  strikes.byHand = undefined
  forgive(strikes)
}

/** Bans a key by a command, for some milliseconds. */
export function banByHand(strikes: Strikes, at: number, lengthMs: number): void {
  strikes.bannedUntil = banEnd(at, lengthMs)
  strikes.byHand = true
  strikes.bans += 1
}

/** The strikes at an instant. Where bans were switched off, no ban holds. */
export function readStrikes(strikes: Strikes, at: number, bans: BanSettings | undefined): Readonly<Strikes> {
  const now = copyStrikes(strikes)
  rollStrikes(now, at)
  return bans === undefined ? { ...now, bannedUntil: undefined, byHand: undefined } : now
}

/** An accepted call wipes the strikes. */
export function forgive(strikes: Strikes): void {
  strikes.count = 0
  strikes.firstAt = undefined
}

/** Adds a strike for a refused call; true if it bans the key. */
export function strike(strikes: Strikes, at: number, settings: BanSettings): boolean {
  if (strikes.firstAt !== undefined && at - strikes.firstAt < settings.graceMs) return false
  strikes.firstAt ??= at
  strikes.count += 1
  if (strikes.count < settings.after) return false
  strikes.bannedUntil = banEnd(at, banLength(settings, strikes.bans))
  strikes.bans += 1
  return true
}

/** Restarts the ban at a call, if the setting says so. A ban never becomes shorter. */
export function callWhileBanned(strikes: Strikes, at: number, settings: BanSettings): void {
  if (!settings.extend) return
  const end = banEnd(at, banLength(settings, strikes.bans - 1))
  strikes.bannedUntil = Math.max(strikes.bannedUntil ?? end, end)
}

/** A ban starts on a whole second, so that its end and `Retry-After` agree (A10, A08). */
export function banEnd(at: number, lengthMs: number): number {
  return Math.floor(at / 1_000) * 1_000 + lengthMs
}

function banLength({ forMs, escalate }: BanSettings, earlierBans: number): number {
  if (escalate === undefined) return forMs
  return Math.min(escalate.maxMs, forMs * escalate.factor ** Math.max(0, earlierBans))
}
