import { expect, test } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import { settleRules } from '../../../src/control/scenario/settle-rules.ts'
import { formatRule } from '../../../src/control/scenario/show.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { readScenarioText, scenarioOf } from '../../support/scenarios.ts'
import { takeSnapshot } from '../../support/snapshots.ts'
import { readTexts } from './read-texts.ts'

type FaultFields = ThenFields['fault']

test.each<[text: string, settled: unknown]>([
  ['slow', 'slow'],
  ['{ slow: { bytesPerSecond: 1 } }', { slow: { bytesPerSecond: 1 } }],
  ['{ slow: { chunk: 10, every: 1.5s } }', { slow: { chunk: 10, every: 1_500 } }],
  ['{ truncate: { after: 0 } }', { truncate: { after: 0 } }],
  ['{ hang: { for: 5s } }', { hang: { for: 5_000 } }],
  ['{ slow-close: 2s }', { 'slow-close': 2_000 }],
])('%s is read, shown and kept', async (text, settled) => {
  const scenario = await readScenarioText(`rules: [{ then: { fault: ${text} } }]`)
  const [rule] = scenario.rules
  if (rule === undefined) throw new Error('The rule is missing')
  expect(rule.effect.fault).toEqual(settled)
  expect(settleRules([formatRule(rule)])).toEqual([rule])
  const { sandboxes } = createEmulator({ scenario, startedAt: 0 })
  expect(
    JSON.parse(JSON.stringify(takeSnapshot(sandboxes.default))).rules.rules[0].rule.effect.fault,
  ).toEqual(settled)
})

test.each<ThenFields>([
  { status: 404 },
  { status: 404, message: 'Gone fishing.' },
  { status: 429, headers: { 'Retry-After': 7 } },
  { status: 404, code: 'injected_fault' },
  { delay: '1.5s' },
  { delay: { uniform: ['20ms', '1.5s'] } },
  { delay: { lognormal: { median: '20ms', p99: '1.5s' } } },
])('%j is shown and kept', then => {
  const [rule] = scenarioOf({ rules: [{ then }] }).rules
  if (rule === undefined) throw new Error('The rule is missing')
  expect(formatRule(rule).then).toMatchObject(JSON.parse(JSON.stringify(then).replace(':7', ':"7"')))
  expect(settleRules([formatRule(rule)])).toEqual([rule])
})

test.each<[fault: FaultFields, text: string]>([
  [{ slow: { chunk: 10, every: '250ms' } }, '250ms'],
  [{ hang: { for: '1500ms' } }, '1.5s'],
  [{ 'slow-close': '2s' }, '2s'],
])('%j keeps its times as durations', (fault, text) => {
  const [rule] = scenarioOf({ rules: [{ then: { fault } }] }).rules
  expect(JSON.stringify(rule && formatRule(rule))).toContain(`"${text}"`)
})

test.each<[fault: string, complaint: RegExp]>([
  ['slow-close', /expected one of reset, empty, .*or a fault with an amount, such as \{ slow-close: 2s \}/],
  ['{ slow: { bytesPerSecond: 0 } }', /bytesPerSecond: expected a whole number of bytes \(1 or more\)/],
  ['{ slow: { bytesPerSecond: 1.5 } }', /bytesPerSecond: expected a whole number/],
  ['{ slow: { chunk: 0, every: 1s } }', /chunk: expected a whole number of bytes/],
  ['{ slow: { chunk: 1, every: 0s } }', /every: expected a duration from 1ms to 10m/],
  ['{ slow: { chunk: 1 } }', /every is missing/],
  ['{ slow: { chunk: 1, every: 1s, bytesPerSecond: 3 } }', /not allowed next to/],
  ['{ truncate: { after: -1 } }', /after: expected a whole number of bytes \(0 or more\)/],
  ['{ hang: { for: 11m } }', /for: expected a duration from 1ms to 10m/],
  ['{ hang: 5s }', /expected a map of fields/],
  ['{ slow-close: 0s }', /expected a duration from 1ms to 10m/],
  ['{ reset: 5 }', /unknown field/],
  ['{}', /expected exactly one fault with its amount/],
  ['{ hang: { for: 1s }, slow-close: 1s }', /expected exactly one fault with its amount/],
])('%s is refused', async (fault, complaint) => {
  const reading = await readTexts({ 'f.yaml': `rules: [{ then: { fault: ${fault} } }]` })
  expect(reading.ok ? '' : reading.complaints.map(({ message }) => message).join('\n')).toMatch(complaint)
})

test.each(['{ slow: { bytesPerSecond: 5 } }', '{ truncate: { after: 5 } }'])(
  '%s breaks a body, so an answer must have one',
  async fault => {
    const reading = await readTexts({ 'f.yaml': `rules: [{ then: { status: 204, fault: ${fault} } }]` })
    expect(reading.ok).toBe(false)
  },
)

test('slow-close needs no body', async () => {
  const reading = await readTexts({
    'f.yaml': 'rules: [{ then: { status: 204, fault: { slow-close: 1s } } }]',
  })
  expect(reading.ok).toBe(true)
})

test.each(['slow', 'truncate', '{ slow-close: 1s }'])(
  '%s breaks a response, and on the request there is none',
  async fault => {
    const then = `{ fault: ${fault}, direction: request }`
    const reading = await readTexts({ 'f.yaml': `rules: [{ then: ${then} }]` })
    expect(reading.ok ? '' : reading.complaints[0]?.message).toContain('add a status, or remove direction')
  },
)

test('a direction alone does nothing', async () => {
  const reading = await readTexts({ 'f.yaml': 'rules: [{ then: { direction: request } }]' })
  expect(reading.ok ? '' : reading.complaints[0]?.message).toContain('the rule does nothing')
})
