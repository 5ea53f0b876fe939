import type { KeyState } from '../../../src/dashboard/state/keys.ts'

/** A key with few calls left, as `listKeys` has it at 12:00 on 2 March 2026. */
export const exampleKey: KeyState = {
  key: 'demo-free',
  name: 'demo-free',
  plan: 'free',
  limits: { minute: 60, day: 1_000 },
  used: { minute: 57, day: 412 },
  remaining: { minute: 3, day: 588 },
  resets: { minute: '2026-03-02T12:00:42Z', day: '2026-03-03T09:00:00Z' },
  strikes: 0,
  banAfter: 10,
  bannedUntil: null,
  revoked: false,
  expires: null,
}
