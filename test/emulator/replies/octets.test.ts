import { expect, it } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

it.each([
  ['GET', '/v1/pets', true],
  ['GET', '/v1/pets/0', true],
  ['GET', '/elsewhere', true],
  ['HEAD', '/v1/pets', false],
  ['HEAD', '/v1/pets/0', false],
  ['OPTIONS', '/v1/pets', false],
])(
  'a door need not encode what it sends to %s %s a second time, if there is a body: %j',
  (method, target, hasBody) => {
    const { handle } = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
    const call = {
      method,
      target,
      headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
      body: undefined,
      scheme: 'http',
      client: 'a',
      receivedAt: noon,
    } as const
    handle(call)
    const { body, octets } = handle(call)
    const expected = hasBody ? Buffer.from(body ?? '').toString('latin1') : undefined
    expect([typeof body, octets]).toEqual([hasBody ? 'string' : 'undefined', expected])
  },
)
