import { RuleLine, type RuleStatus } from '../../../src/dashboard/parts/rules/rules.tsx'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const name = 'outage <b>of</b> pets'
const status: RuleStatus = {
  name,
  rule: { name, match: { operation: 'listPets' }, when: { first: 2 }, then: { status: 503 } },
  on: true,
  added: true,
  since: '2026-03-02T12:00:00Z',
  retired: false,
  acted: 1_234,
  calls: {},
}
const line = (state: RuleStatus) => (
  <ul>
    <RuleLine app={fixtureApp({})} status={state} onChanged={() => {}} />
  </ul>
)

export const all: readonly ComponentStates[] = [
  {
    component: 'RuleLine',
    states: {
      on: () => line(status),
      done: () => line({ ...status, added: false, retired: true }),
      off: () => line({ ...status, on: false }),
    },
  },
]
