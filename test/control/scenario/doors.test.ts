import { describe, expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { RuleFields } from '../../../src/control/scenario/file.ts'
import { readScenario } from '../../../src/control/scenario/read/read.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { petMockHandlers } from '../../../src/library/msw/pet-mock-handlers.ts'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import type { Door } from '../../../src/service/call/fault.ts'
import { changing } from '../../support/changes.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { takeSnapshot } from '../../support/snapshots.ts'

const lateClose: RuleFields = { then: { fault: { 'slow-close': '2s' } } }
const lateRequest: RuleFields = { then: { delay: '1ms', direction: 'request' } }
const noConnection =
  'createPetMock and MSW handlers cannot show slow-close: use pet-mock, startPetMock or pet-mock proxy'
const noWayThere = 'pet-mock and startPetMock cannot show a delay of the request: use pet-mock proxy'

describe('a rule that a door cannot show is refused', () => {
  test('in a scenario of createPetMock', () => {
    expect(() => createPetMock({ scenario: { rules: [lateClose] } })).toThrow(
      `scenario: rules[0].then.fault: ${noConnection}`,
    )
  })

  test('in a scenario of MSW handlers', () => {
    const scenario = { rules: [{ then: { delay: '1ms' as const } }, lateClose] }
    expect(() => petMockHandlers({ baseUrl: 'http://a.test/v1', scenario })).toThrow(
      `scenario: rules[1].then.fault: ${noConnection}`,
    )
  })

  test('in a rule that is added later', async () => {
    const { rules } = createPetMock()
    await expect(rules.add(lateClose)).rejects.toThrow(`then.fault: ${noConnection}`)
    expect(await rules.list()).toEqual([])
  })

  test('in a scenario that is set later', async () => {
    const { scenario } = createPetMock()
    await expect(scenario.use({ rules: [lateClose] })).rejects.toThrow(noConnection)
  })

  test('in a snapshot of a server', async () => {
    await using server = await startPetMock({ scenario: { rules: [lateClose] } })
    const snapshot = await server.snapshot.save()
    await expect(createPetMock().snapshot.load(snapshot)).rejects.toThrow(noConnection)
    await server.snapshot.load(snapshot)
  })

  test('in a snapshot whose scenario has it, also where the rule was removed since: a reset brings it back', async () => {
    const emulator = createEmulator({ scenario: scenarioOf({ rules: [lateClose] }), startedAt: 0 })
    changing(emulator)({ do: 'deleteRule', name: 'rule-1' })
    const snapshot = takeSnapshot(emulator.sandboxes.default)
    expect(snapshot.rules.rules).toEqual([])
    await expect(createPetMock().snapshot.load(snapshot)).rejects.toThrow(noConnection)
  })

  test('by a server that cannot delay a request', async () => {
    await expect(startPetMock({ scenario: { rules: [lateRequest] } })).rejects.toThrow(noWayThere)
    await using server = await startPetMock()
    await expect(server.rules.add(lateRequest)).rejects.toThrow(noWayThere)
    await server.rules.add(lateClose)
  })
})

test.each<[door: Door | undefined, then: string, complaint: string | undefined]>([
  ['fetch', '{ fault: { slow-close: 2s } }', noConnection],
  ['server', '{ fault: { slow-close: 2s } }', undefined],
  ['proxy', '{ fault: { slow-close: 2s } }', undefined],
  [undefined, '{ fault: { slow-close: 2s } }', undefined],
  ['server', '{ delay: 1s, direction: request }', noWayThere],
  ['server', '{ delay: 1s, status: 503, direction: request }', undefined],
  ['proxy', '{ delay: 1s, direction: request }', undefined],
])('a file for the door %s with %s', async (door, then, complaint) => {
  const reading = await readScenario('f.yaml', {
    readText: async () => `rules:\n  - then: ${then}\n`,
    fixtures: shippedFixtures,
    shipped: shippedScenarios,
    door,
  })
  const found = reading.ok ? undefined : reading.complaints[0]
  expect(found?.line).toBe(complaint === undefined ? undefined : 2)
  if (complaint === undefined) expect(found).toBeUndefined()
  else expect(found?.message).toContain(complaint)
})

test.each<[others: string, places: readonly string[]]>([
  ['keys: { demo-free: { plna: free } }', ['1:22', '2:41']],
  ['keys: { demo-free: { plan: fre } }', ['1:28', '2:41']],
  ['key: nokey', ['1:6', '2:41']],
])('is listed beside the other mistakes: %s', async (others, places) => {
  const complaints = await complaintsOf(`${others}\nrules: [{ then: { delay: 1s, direction: request } }]\n`)
  expect(complaints.map(({ line, column }) => `${line}:${column}`)).toEqual(places)
  expect(complaints.at(-1)?.message).toContain(noWayThere)
})

test('is listed beside a rule with another mistake', async () => {
  const complaints = await complaintsOf(`rules:
  - then: { delay: 1s, direction: request }
  - then: { delay: x }
  - then: { delay: 2s, direction: request }
  - { match: { key: nobody }, then: { status: 503 } }
`)
  expect(complaints.map(({ line }) => line)).toEqual([2, 3, 4, 5])
})

async function complaintsOf(text: string) {
  const reading = await readScenario('f.yaml', {
    readText: async () => text,
    fixtures: shippedFixtures,
    shipped: shippedScenarios,
    door: 'server',
  })
  return reading.ok ? [] : reading.complaints
}
