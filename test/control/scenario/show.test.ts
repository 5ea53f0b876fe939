import { expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { extendShipped, shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { scenarioText } from '../../../src/control/scenario/show.ts'
import { settleRehearsal } from '../../../src/judges/rehearsal/rehearsal.ts'
import { shippedWalkthroughs } from '../../../src/judges/walkthrough/shipped.ts'
import { readTexts } from './read-texts.ts'

const files: readonly (readonly [string, ScenarioFile])[] = [
  ...Array.from(shippedScenarios, ([name, file]) => {
    const whole: ScenarioFile = { ...file, walkthrough: shippedWalkthroughs.get(name) }
    return [name, whole] as const
  }),
  ['nothing', {}],
  ['no bans', { bans: 'off' }],
  ['a frozen clock', { clock: { frozen: true, at: '2026-03-02T09:00:00Z' } }],
  ['a fast clock', { clock: { scale: 30 } }],
  [
    'nulls',
    { seed: null, clock: { at: null }, bans: { escalate: null, for: null }, keys: { 'demo-pro': null } },
  ],
  ['half an escalation', { bans: { escalate: { max: '1h' } } }],
  ['a rehearsal', { rehearsal: { expects: 'failure', conduct: { allow: ['banned'] } } }],
  [
    'all kinds of values',
    extendShipped({
      extends: 'brownout',
      pets: { firstId: 2n ** 60n, gone: [2n ** 60n] },
      plans: { gold: { minute: 1, day: 2 } },
    }),
  ],
]

test.each(files)('%s, shown, is a file that means the same', async (name, file) => {
  const text = scenarioText(file, shippedFixtures)
  const reading = await readTexts({ 'f.yaml': text })
  if (!reading.ok) throw new Error(`${text}\n${reading.complaints.map(({ message }) => message).join('\n')}`)
  const { pets, origin: _given, ...expected } = settle(name, { title: 'x', ...file }, shippedFixtures)
  const {
    pets: shownPets,
    origin: _all,
    ...shown
  } = settle(name, { title: 'x', ...reading.value }, shippedFixtures)
  expect(shown).toEqual(expected)
  expect([...shownPets]).toEqual([...pets])
  expect(reading.value.walkthrough).toEqual(file.walkthrough)
  expect(settleRehearsal(reading.value)).toEqual(settleRehearsal(file))
})

test('what holds by default is marked, and nothing else is', () => {
  const lines = scenarioText({ seed: 7, bans: { after: 3 } }, shippedFixtures).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'key: demo-free # default',
      'seed: 7',
      '  after: 3',
      '  for: 300s # default',
      '  expects: either # default',
    ]),
  )
  expect(scenarioText({ bans: 'off' }, shippedFixtures)).toContain('\nbans: off\n')
})

test('a step has a line for each of its fields, and any other item of a list has one line', () => {
  const file: ScenarioFile = {
    rules: [{ name: 'outage', when: { first: 2 }, then: { status: 503 } }],
    pets: { gone: [7, 13] },
    walkthrough: [
      { note: 'It waits.' },
      { call: 'GET /v1/pets', expect: { status: 503 } },
      { advance: '60s' },
      { change: { do: 'deleteRule', name: 'outage' } },
    ],
  }
  const text = scenarioText(file, shippedFixtures)
  expect(text).toContain(`
  gone: [ 7, 13 ]
rules:
  - { name: outage, when: { first: 2 }, then: { status: 503 } }
`)
  expect(text).toContain(`
walkthrough:
  - note: It waits.
  - call: GET /v1/pets
    expect: { status: 503 }
  - advance: 60s
  - change: { do: deleteRule, name: outage }
`)
})
