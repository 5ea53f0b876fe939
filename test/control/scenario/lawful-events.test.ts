import { expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { coveredRules } from '../../../src/control/scenario/checks/rules.ts'
import { checkScenarioFile } from '../../../src/control/scenario/checks/walkthrough.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'

const outage = { name: 'outage', then: { status: 503 } }
const slow = { name: 'slow', match: { operation: 'listPets' as const }, then: { status: 500 } }
const at = '2026-03-02T09:00:00Z'

test.each<[what: string, file: ScenarioFile]>([
  [
    'a rule of the scenario',
    { rules: [outage], events: [{ after: 2, change: { do: 'changeRule', name: 'outage', on: false } }] },
  ],
  [
    'a rule without a name',
    {
      rules: [{ then: { status: 503 } }],
      events: [{ after: 2, change: { do: 'deleteRule', name: 'rule-1' } }],
    },
  ],
  [
    'a rule that an event adds, whatever their order',
    {
      events: [
        { after: '20s', change: { do: 'deleteRule', name: 'outage' } },
        { after: 2, change: { do: 'addRule', rule: outage } },
      ],
    },
  ],
  [
    'a rule without a name that an event adds',
    {
      rules: [outage],
      events: [
        { after: 2, change: { do: 'addRule', rule: { then: { status: 500 } } } },
        { after: 4, change: { do: 'deleteRule', name: 'rule-2' } },
      ],
    },
  ],
  [
    'a pet that the client may have created by then',
    { events: [{ after: 2, change: { do: 'deletePet', id: 102 } }] },
  ],
  [
    'a pet that the client may create in a time',
    { events: [{ after: '5s', change: { do: 'changePet', id: 101, status: 'sold' } }] },
  ],
  [
    'a pet that the scenario adds',
    {
      pets: { count: 0, add: [{ name: 'Rex', categoryId: 1 }] },
      events: [{ after: 1, change: { do: 'changePet', id: 1, name: 'Max' } }],
    },
  ],
  [
    'a key that it changes where bans are off',
    {
      bans: 'off',
      events: [
        { after: 1, change: { do: 'changeKey', key: 'demo-free', revoked: true } },
        { after: 2, change: { do: 'unbanKey', key: 'demo-free' } },
      ],
    },
  ],
  [
    'no plan, so that the key keeps its own',
    { events: [{ after: 1, change: { do: 'changeKey', key: 'demo-free', plan: null } }] },
  ],
  ['the present moment', { clock: { at }, events: [{ after: 1, change: { do: 'freezeClock', at } }] }],
  [
    'an earlier moment after a reset',
    {
      clock: { at },
      events: [
        { after: 1, change: { do: 'advanceClock', by: '1h' } },
        { after: 2, change: { do: 'resetClock' } },
        { after: 3, change: { do: 'freezeClock', at: '2026-03-02T09:30:00Z' } },
      ],
    },
  ],
  [
    'moments whose order only the client decides',
    {
      clock: { at },
      events: [
        { after: 1, key: 'demo-pro', change: { do: 'advanceClock', to: '2026-03-02T12:00:00Z' } },
        { after: 2, change: { do: 'advanceClock', to: '2026-03-02T10:00:00Z' } },
      ],
    },
  ],
])('an event may name %s', (_, file) => {
  expect(checkScenarioFile(file, shippedFixtures)).toEqual([])
})

const warning =
  'The rule "slow" cannot act while the earlier rule "outage" is on, which takes all its calls. If that is not intended, move it before "outage".'

test.each<[what: string, file: ScenarioFile, warnings: readonly string[]]>([
  ['after one that takes all its calls', { rules: [outage, slow] }, [warning]],
  ['after one that is declared off', { rules: [{ ...outage, on: false }, slow] }, []],
  [
    'after one that an event switches off',
    {
      rules: [outage, slow],
      events: [{ after: 2, change: { do: 'changeRule', name: 'outage', on: false } }],
    },
    [],
  ],
  [
    'after one that an event removes',
    { rules: [outage, slow], events: [{ after: 2, change: { do: 'deleteRule', name: 'outage' } }] },
    [],
  ],
  [
    'after one that the walkthrough switches off',
    { rules: [outage, slow], walkthrough: [{ change: { do: 'changeRule', name: 'outage', on: false } }] },
    [],
  ],
  [
    'after one that has the name of a pet that an event adds',
    {
      rules: [outage, slow],
      events: [{ after: 2, change: { do: 'addPet', name: 'outage', categoryId: 1 } }],
    },
    [warning],
  ],
  ['after one that ends', { rules: [{ ...outage, times: 3 }, slow] }, []],
  ['before it', { rules: [slow, outage] }, []],
])('a rule %s is no mistake, and has %s', (_, file, warnings) => {
  expect(checkScenarioFile(file, shippedFixtures)).toEqual([])
  expect(coveredRules(file)).toEqual(warnings)
})
