import { CallView, TimeLine, WorldBefore } from '../../../src/dashboard/parts/run/run.tsx'
import { exampleKey } from './example-key.ts'
import { exampleRequest } from './example-request.ts'
import type { ComponentStates } from './states.ts'

const act = () => {}
const statuses = [200, 201, 429, 503, null]
const calls = Array.from({ length: 300 }, (_, index) => ({
  number: 17 + index,
  at: new Date(Date.UTC(2026, 2, 2, 12) + index * index).toISOString(),
  method: 'GET',
  target: '/v1/pets',
  sandbox: 'worker-3',
  id: index + 1,
  status: statuses[(index * index) % 5] ?? null,
}))
const clock = { at: '2026-03-02T12:00:00Z', frozen: true, scale: 0 }
const world = {
  sandbox: 'worker-3',
  clock,
  keys: [],
  rules: [],
  pets: 100,
  petChanges: [],
}
const look = { world, changes: [], request: exampleRequest }

export const all: readonly ComponentStates[] = [
  {
    component: 'TimeLine',
    states: {
      'a long run': () => <TimeLine calls={calls} number={100} onChoose={act} />,
      'one call': () => <TimeLine calls={calls.slice(0, 1)} number={17} onChoose={act} />,
      'no call': () => <TimeLine calls={[]} number={1} onChoose={act} />,
    },
  },
  {
    component: 'CallView',
    states: {
      'as in the run': () => <CallView look={{ ...look, isSame: true }} />,
      'not as in the run': () => <CallView look={{ ...look, isSame: false }} />,
      'not compared, in no journal': () => <CallView look={{ request: null, isSame: null }} />,
    },
  },
  {
    component: 'WorldBefore',
    states: {
      'as at the start': () => <WorldBefore look={look} />,
      'much has happened': () => (
        <WorldBefore
          look={{
            changes: ['banKey in worker-3 { key: demo-free, for: 5m }', 'changeKey { key: <b>x</b> }'],
            world: {
              ...world,
              keys: [{ ...exampleKey, strikes: 9, bannedUntil: '2026-03-02T12:05:00Z' }],
              rules: [
                {
                  name: 'outage',
                  rule: { then: { status: 503 } },
                  added: true,
                  since: clock.at,
                  on: false,
                  retired: true,
                  acted: 1_200,
                  calls: {},
                },
              ],
              petChanges: ['9007199254740993 Rex <b>x</b> sold', '2 is deleted'],
            },
          }}
        />
      ),
    },
  },
]
