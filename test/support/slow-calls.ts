import { expect } from 'vitest'
import type { ThenFields } from '../../src/control/scenario/file.ts'
import { requestText, type TestServer } from './raw-http.ts'
import { scenarioOf } from './scenarios.ts'

/** Something happens to every call but those of GET /v1/pets. */
export function withEffect(then: ThenFields) {
  const rules = (['getPet', 'createPet'] as const).map(operation => ({ match: { operation }, then }))
  return { scenario: scenarioOf({ rules, plans: { free: { minute: 1_000_000, day: 1_000_000 } } }) }
}

/** Milliseconds until a call on a connection of its own is answered. */
export async function timeOfCall(server: TestServer): Promise<number> {
  const began = performance.now()
  expect((await server.ask(requestText('GET /v1/pets?limit=1', { key: 'demo-pro' }))).status).toBe(200)
  return performance.now() - began
}
