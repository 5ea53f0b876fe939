import { expect, test } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

test('each address has a quota of its own; of more than 1 000, the oldest is forgotten', () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
  const remaining = (client: string) =>
    emulator.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: ['Host', 'localhost'],
      body: undefined,
      scheme: 'http',
      client,
      receivedAt: noon,
    }).headers['X-RateLimit-Remaining']
  for (let client = 1; client <= 1_000; client += 1) expect(remaining(`10.0.0.${client}`)).toBe('59')
  expect(remaining('10.0.0.1')).toBe('58')
  expect(remaining('10.0.0.1001')).toBe('59')
  expect(remaining('10.0.0.2')).toBe('58')
  expect(remaining('10.0.0.1')).toBe('59')
  expect(emulator.sandboxes.default.anonymous.size).toBe(1_000)
})
