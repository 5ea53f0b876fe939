import { copyStrikes, type Strikes } from '../bans/ban.ts'
import { copyWindows, type Windows } from '../limits/limiter.ts'
import type { Quota } from '../plans/plan.ts'

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

export function isValid(key: Pick<Key, 'revoked' | 'expiresAt'>, at: number): boolean {
  return !key.revoked && (key.expiresAt === undefined || at < key.expiresAt)
}

/** Field by field: a restored key may lack fields, and its next snapshot must have the same text. */
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
