import { expect, test } from 'vitest'
import type { ThenFields } from '../../src/control/scenario/file.ts'
import { describeDoors, type TestRequest } from '../support/doors.ts'
import { scenarioOf } from '../support/scenarios.ts'

const post: TestRequest = { method: 'POST', body: { name: 'Rex', categoryId: 1 } }
const onCreate = (then: ThenFields) => scenarioOf({ rules: [{ match: { operation: 'createPet' }, then }] })

describeDoors('the direction of a rule', open => {
  test.each<[then: ThenFields, status: number | 'fails', pets: number]>([
    [{ status: 504 }, 504, 100],
    [{ status: 504, direction: 'request' }, 504, 100],
    [{ status: 504, direction: 'response' }, 504, 101],
    [{ fault: 'reset' }, 'fails', 101],
    [{ fault: 'reset', direction: 'response' }, 'fails', 101],
    [{ fault: 'reset', direction: 'request' }, 'fails', 100],
    [{ fault: { hang: { for: '1ms' } }, direction: 'request' }, 'fails', 100],
    [{ status: 504, fault: 'empty', direction: 'response' }, 'fails', 101],
  ])('%j', async (then, status, pets) => {
    const door = await open({ scenario: onCreate(then) })
    const found = await door.send(post).then(
      reply => reply.status,
      () => 'fails' as const,
    )
    expect(status === 'fails' ? ['fails', 504, 503, 201] : [status]).toContain(found)
    const { pets: store, journal } = door.emulator.sandboxes.default
    expect(store.size).toBe(pets)
    const { trace } = [...journal].at(-1) ?? {}
    expect([trace?.rules, trace?.synthetic]).toEqual([
      ['rule-1'],
      then.status !== undefined || then.direction === 'request',
    ])
  })
})
