import { ScenarioList, ScenarioPage } from '../../../src/dashboard/parts/situation/scenario-list.tsx'
import { CurrentSituation, OwnScenario } from '../../../src/dashboard/parts/situation/situation.tsx'
import type { Answer } from '../../../src/dashboard/plane/plane.ts'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const scenario: Answer<'getShippedScenario'> = {
  name: 'free-plan',
  title: 'Free plan',
  description: 'The service as a new customer sees it.',
  key: 'demo-free',
  yaml: 'title: Free plan\npets:\n  add:\n    - { name: "<b>Rex</b>" }\n',
  start: {},
  steps: [
    { kind: 'call', text: 'GET /v1/pets ×3', note: 'Three calls are left.', step: {} },
    { kind: 'advance', text: 'advance 60s', note: null, step: {} },
  ],
}
const app = () =>
  fixtureApp({
    getScenario: { name: 'free-plan', title: 'Free plan', description: 'Usual.', key: 'demo-free', seed: 1 },
    listScenarios: {
      scenarios: [scenario, { ...scenario, name: 'flaky', title: 'Flaky', description: null }],
    },
    getShippedScenario: scenario,
  })

export const all: readonly ComponentStates[] = [
  { component: 'CurrentSituation', states: { usual: () => <CurrentSituation app={app()} /> } },
  { component: 'ScenarioList', states: { 'one is open': () => <ScenarioList app={app()} open="flaky" /> } },
  {
    component: 'ScenarioPage',
    states: {
      'with a walkthrough': () => <ScenarioPage app={app()} name="free-plan" />,
      'no such scenario': () => <ScenarioPage app={fixtureApp({})} name="gone" />,
    },
  },
  { component: 'OwnScenario', states: { empty: () => <OwnScenario app={app()} /> } },
]
