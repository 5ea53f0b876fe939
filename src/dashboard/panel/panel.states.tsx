import { exampleKey } from '../fixtures/example-key.ts'
import { type Answers, fixtureApp } from '../fixtures/fixture-app.ts'
import type { ComponentStates } from '../fixtures/states.ts'
import './panel.css'
import { PlaneError } from '../plane/plane-error.ts'
import { Panel } from './panel.tsx'
import { PanelLogin } from './panel-login.tsx'
import { KeyQuota } from './quotas.tsx'

const now = Date.UTC(2026, 2, 2, 12)
const clock = { at: '2026-03-02T12:00:00Z', frozen: true, scale: 0 }
const answers: Answers = {
  getClock: clock,
  getMoments: { aheadMs: -90_000, reset: null, midnight: '2026-03-03T00:00:00Z', removal: null },
  listKeys: { keys: [exampleKey] },
  getScenario: { name: 'ban', title: 'One strike from a ban', description: null, key: 'demo-free', seed: 1 },
  listScenarios: { scenarios: [{ name: 'ban', title: 'One strike from a ban', description: null }] },
  listRequests: { requests: [], meta: { total: 0, kept: 0, capacity: 1_000, evicted: 0 } },
}

function panel(given: Answers) {
  const { plane, connection } = fixtureApp(given)
  return () => (
    <Panel host={{ plane, connection, login: undefined, dashboard: 'http://127.0.0.1:7387/__admin/' }} />
  )
}

const quota = (over: object) => () => (
  <div class="panel">
    <section class="section">
      <KeyQuota state={{ ...exampleKey, ...over }} now={now} lift={async () => {}} />
    </section>
  </div>
)

export const all: readonly ComponentStates[] = [
  { component: 'Panel', states: { 'no calls': panel(answers), 'nothing answers': panel({}) } },
  {
    component: 'KeyQuota',
    states: {
      'few calls are left': quota({}),
      'strikes count': quota({ strikes: 9 }),
      banned: quota({ strikes: 10, bannedUntil: '2026-03-02T12:05:00Z' }),
      'both windows are over': quota({ resets: { minute: '2026-03-02T11:59:00Z', day: null } }),
      'a long name': quota({ key: 'a-key-with-a-name-that-is-longer-than-the-panel-is-wide-<b>x</b>' }),
    },
  },
  {
    component: 'PanelLogin',
    states: {
      'a token is missing': () => (
        <div class="panel">
          <PanelLogin
            login={fixtureApp({}).login}
            why={new PlaneError(401, 'invalid_admin_token', 'The admin plane requires a token.')}
            retry={() => {}}
          />
        </div>
      ),
    },
  },
]
