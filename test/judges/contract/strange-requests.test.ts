import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'
import { areasOf, toys } from '../../support/toys.ts'

const segment = fc.oneof(
  fc.constantFrom(
    'toys',
    'pets',
    'weather',
    'motto',
    'search',
    '7',
    '9223372036854775807',
    '..',
    '.',
    '',
    '%74oys',
    '%2E%2E',
    '%zz',
  ),
  fc
    .string({ unit: 'binary', maxLength: 8 })
    .map(text => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))),
)
const query = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom('limit', 'color', 'makerId', 'tags', 'days', '__proto__'),
      fc.string({ maxLength: 6 }),
    )
    .map(([name, text]) => `?${name}=${text.replace(/[#\s]/g, '')}`),
)
const body = fc.oneof(
  fc.constant(undefined),
  fc.json().map(text => new TextEncoder().encode(text)),
  fc
    .record({ name: fc.jsonValue(), makerId: fc.jsonValue(), id: fc.jsonValue() }, { requiredKeys: [] })
    .map(value => new TextEncoder().encode(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 20 }),
  fc.constant('too-large' as const),
)
const type = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'multipart/form-data',
  'x',
  ';',
)

it('answers every strange request, and never with a failure of pet-mock', async () => {
  const loading = await areasOf({ 'toys.yaml': toys })
  if (!loading.ok) throw new Error('The contract is broken.')
  const { areas } = loading.value
  const any = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get'),
    segments: fc.oneof(
      fc.constantFrom(['toys'], ['toys', '7'], ['weather'], ['pets', '1']),
      fc.array(segment, { minLength: 1, maxLength: 3 }),
    ),
    query,
    body,
    type,
  })
  const tell = async ({
    method,
    segments,
    query,
    body,
    type,
  }: typeof any extends fc.Arbitrary<infer T> ? T : never) => {
    const errors: unknown[] = []
    const emulator = createEmulator({
      scenario: scenarioOf({}),
      startedAt: noon,
      onError: error => errors.push(error),
    })
    emulator.openAreas(areas)
    const call: Call = {
      method,
      target: `/v1/${segments.join('/')}${query}`,
      headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free', 'Content-Type', type],
      body,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    }
    const reply = await emulator.answer(call)
    expect(errors).toEqual([])
    expect(reply.status).toBeLessThan(500)
    if (reply.status >= 400 && method !== 'HEAD') {
      expect(JSON.parse(reply.body ?? '')).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        status: reply.status,
      })
    }
  }
  await fc.assert(fc.asyncProperty(any, tell), { numRuns: 400 })
})
