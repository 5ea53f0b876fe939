import { fixtureApp } from '../../fixtures/fixture-app.ts'
import type { ComponentStates } from '../../fixtures/states.ts'
import type { Answer } from '../../plane/plane.ts'
import type { NamedRule, OffRules } from './off-rules.ts'
import { RuleLine } from './rule-line.tsx'

const rule: NamedRule = {
  name: 'outage <b>of</b> pets',
  match: { operation: 'listPets' },
  when: { first: 2 },
  then: { status: 503 },
}
const status: Answer<'listRules'>['rules'][number] = {
  name: rule.name,
  rule,
  added: true,
  since: '2026-03-02T12:00:00Z',
  retired: false,
  acted: 1_234,
  calls: {},
}
const off: OffRules = { all: () => [], add: () => {}, remove: () => {} }
const line = (state: typeof status | undefined) => (
  <ul>
    <RuleLine app={fixtureApp({})} off={off} rule={rule} status={state} onChanged={() => {}} />
  </ul>
)

export const all: readonly ComponentStates[] = [
  {
    component: 'RuleLine',
    states: {
      on: () => line(status),
      done: () => line({ ...status, added: false, retired: true }),
      off: () => line(undefined),
    },
  },
]
