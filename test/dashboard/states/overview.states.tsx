import { Faults } from '../../../src/dashboard/parts/overview/faults.tsx'
import { KeyRings, MinuteBars } from '../../../src/dashboard/parts/overview/overview.tsx'
import { exampleKey } from './example-key.ts'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const at = Date.UTC(2026, 2, 2, 12)
const banned = { ...exampleKey, strikes: 10, bannedUntil: '2026-03-02T12:05:00Z' }
const rule = {
  name: 'lose the next response',
  rule: { then: { fault: 'reset' } },
  on: true,
  added: true,
  since: '2026-03-02T12:00:00Z',
  retired: false,
  acted: 0,
  calls: {},
} as const
const faults = (state: typeof exampleKey, rules: readonly (typeof rule)[]) => () => (
  <Faults app={fixtureApp({})} state={state} rules={rules} at={at} onChanged={() => {}} />
)

export const all: readonly ComponentStates[] = [
  {
    component: 'KeyRings',
    states: Object.fromEntries(
      Object.entries({
        'few calls are left': exampleKey,
        'the minute is spent': { ...exampleKey, remaining: { minute: 0, day: 588 } },
        banned,
        'bans are off': { ...exampleKey, banAfter: null },
      }).map(([name, state]) => [name, () => <KeyRings app={fixtureApp({})} state={state} at={at} />]),
    ),
  },
  {
    component: 'Faults',
    states: { none: faults(exampleKey, []), 'one waits, and the key is banned': faults(banned, [rule]) },
  },
  {
    component: 'MinuteBars',
    states: { 'no calls': () => <MinuteBars app={fixtureApp({})} at={at} /> },
  },
]
