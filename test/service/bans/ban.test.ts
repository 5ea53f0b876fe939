import { expect, it } from 'vitest'
import { type BanSettings, banByHand, noStrikes, rollStrikes, strike } from '../../../src/service/bans/ban.ts'

const settings: BanSettings = {
  after: 1,
  forMs: 10_000,
  graceMs: 0,
  escalate: { factor: 3, maxMs: 3_600_000 },
  extend: false,
  status: 429,
}

it('counts a ban by hand as one: the next one is longer', () => {
  const strikes = noStrikes()
  banByHand(strikes, 0, 5_000)
  expect(strikes).toMatchObject({ bannedUntil: 5_000, byHand: true })
  rollStrikes(strikes, 5_000)
  expect(strike(strikes, 20_000, settings)).toBe(true)
  expect(strikes).toMatchObject({ bannedUntil: 20_000 + 30_000, byHand: undefined })
})
