import { useMemo } from 'preact/hooks'
import { useEmulatorClock } from '../../../src/dashboard/clock/emulator-clock.ts'
import { ClockMenu, ClockPanel } from '../../../src/dashboard/shell/clock-menu.tsx'
import { type Answers, fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const real = {
  at: '2026-03-02T12:00:00Z',
  frozen: false,
  scale: 1,
  aheadMs: 0,
  reset: '2026-03-02T12:00:42Z',
  midnight: '2026-03-03T00:00:00Z',
  removal: '2030-12-05T00:00:00Z',
}
const states = {
  'real time': real,
  ahead: { ...real, aheadMs: 180_000 },
  behind: { ...real, aheadMs: -7_500_000 },
  frozen: { ...real, frozen: true, scale: 0, aheadMs: -60_000 },
  fast: { ...real, scale: 30 },
}

export const all: readonly ComponentStates[] = [
  {
    component: 'ClockMenu',
    states: Object.fromEntries(
      Object.entries(states).map(([name, { aheadMs, ...clock }]) => [
        name,
        () => <ClockMenu app={fixtureApp({ getClock: clock, getMoments: { ...real, aheadMs } })} />,
      ]),
    ),
  },
  {
    component: 'ClockPanel',
    states: {
      'all moments lie ahead': () => <Panel moments={real} />,
      'no window is open, nothing is left to remove': () => (
        <Panel moments={{ ...real, reset: null, removal: null }} />
      ),
    },
  },
]

function Panel({ moments }: { readonly moments: Answers['getMoments'] & object }) {
  const app = useMemo(() => fixtureApp({ getClock: real, getMoments: moments }), [moments])
  return <ClockPanel app={app} clock={useEmulatorClock(app)} />
}
