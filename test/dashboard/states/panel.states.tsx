import { exampleKey } from './example-key.ts'
import { type Answers, fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'
import '../../../src/dashboard/panel/panel.css'
import { KeyQuota, Panel } from '../../../src/dashboard/panel/panel.tsx'
import { LoginForm } from '../../../src/dashboard/shell/login-form.tsx'

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
  const { plane, connection, sandbox } = fixtureApp(given)
  return () => (
    <Panel
      host={{ plane, connection, sandbox, login: undefined, dashboard: 'http://127.0.0.1:7387/__admin/' }}
    />
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
    component: 'LoginForm in the panel',
    states: {
      'a token is missing': () => (
        <div class="panel">
          <LoginForm app={fixtureApp({})} why="The admin plane requires a token." />
        </div>
      ),
    },
  },
]
