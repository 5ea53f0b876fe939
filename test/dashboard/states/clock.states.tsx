import { ClockMenu, MoveButtons, SpeedControl } from '../../../src/dashboard/shell/clock-menu.tsx'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const act = () => {}
const at = Date.UTC(2026, 2, 2, 12)
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
    component: 'MoveButtons',
    states: {
      'all moments lie ahead': () => (
        <MoveButtons app={fixtureApp({})} at={at} moments={real} onMoved={act} />
      ),
      'no window is open, nothing is left to remove': () => (
        <MoveButtons
          app={fixtureApp({})}
          at={at}
          moments={{ ...real, reset: null, removal: null }}
          onMoved={act}
        />
      ),
    },
  },
  {
    component: 'SpeedControl',
    states: {
      running: () => <SpeedControl app={fixtureApp({})} clock={real} onChanged={act} />,
      frozen: () => <SpeedControl app={fixtureApp({})} clock={states.frozen} onChanged={act} />,
    },
  },
]
