import { copyStrikes, type Strikes } from '../bans/ban.ts'
import { copyWindows, type Windows } from '../limits/limiter.ts'
import type { Quota } from '../plans/plan.ts'

/** A key as one world knows it: what it may do, and how it stands. */
export interface Key {
  readonly text: string
  plan: string
  quota: Quota
  revoked: boolean
  /** Milliseconds since the epoch. */
  expiresAt: number | undefined
  readonly windows: Windows
  readonly strikes: Strikes
}

/** A change of plan keeps windows, counts and bans (A05). `quota`: the new plan's, or the key's own. */
export function changePlan(key: Key, plan: string, quota: Quota): void {
  key.plan = plan
  key.quota = quota
}

export function isValid(key: Pick<Key, 'revoked' | 'expiresAt'>, at: number): boolean {
  return !key.revoked && (key.expiresAt === undefined || at < key.expiresAt)
}

/** Field by field: a snapshot's text must not tell whether a key was started or put back, which may have fewer. */
export function copyKey({ text, plan, quota, revoked, expiresAt, windows, strikes }: Key): Key {
  return {
    text,
    plan,
    quota,
    revoked,
    expiresAt,
    windows: copyWindows(windows),
    strikes: copyStrikes(strikes),
  }
}
