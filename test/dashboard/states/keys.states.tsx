import { KeyCard, Strikes } from '../../../src/dashboard/parts/keys/key-card.tsx'
import { exampleKey } from './example-key.ts'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const act = () => {}
const at = Date.UTC(2026, 2, 2, 12)
const plans = [
  { name: 'free', limits: { minute: 60, day: 1_000 } },
  { name: 'pro', limits: { minute: 300, day: 10_000 } },
]
const card = (over: Partial<typeof exampleKey> | object) => () => (
  <KeyCard app={fixtureApp({})} shown={{ ...exampleKey, ...over }} plans={plans} at={at} onChanged={act} />
)

export const all: readonly ComponentStates[] = [
  {
    component: 'KeyCard',
    states: {
      'few calls are left': card({}),
      'both windows are over': card({ resets: { minute: '2026-03-02T11:59:00Z', day: null } }),
      banned: card({ strikes: 10, bannedUntil: '2026-03-02T12:05:00Z' }),
      'revoked and expired': card({ revoked: true, expires: '2026-03-02T11:00:00Z' }),
      'a long name': card({
        key: 'a-key-with-a-name-that-is-longer-than-a-telephone-is-wide-<b>x</b>',
        name: 'a-key-…',
      }),
    },
  },
  {
    component: 'Strikes',
    states: {
      none: () => <Strikes count={0} banAfter={10} />,
      nine: () => <Strikes count={9} banAfter={10} />,
      'bans are off': () => <Strikes count={0} banAfter={null} />,
    },
  },
]
