import { expect, it } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

/** What one call of pets gets, beyond its answer: data that only a door acts on. */
function call(prefer: string | undefined, rules: ScenarioFile['rules'] = []) {
  const emulator = createEmulator({ scenario: scenarioOf({ rules }), startedAt: noon })
  let seen: Exchange | undefined
  emulator.observe(exchange => {
    seen = exchange
  })
  const reply = emulator.handle({
    method: 'GET',
    target: '/v1/pets',
    headers: [
      ...['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
      ...(prefer === undefined ? [] : ['Prefer', prefer]),
    ],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: noon,
  })
  return {
    status: reply.status,
    delayMs: reply.delayMs,
    fault: reply.fault,
    gate: seen?.trace.gate,
    rules: seen?.trace.rules,
    mark: reply.headers['X-Pet-Mock'],
  }
}
const late = (ms: number) => ({ name: `late by ${ms}`, then: { delay: `${ms}ms` } })
const lost = { name: 'lost', then: { fault: 'reset' as const, direction: 'request' as const } }

it.each([
  ['nothing', undefined, [], { status: 200, gate: 'operation', rules: undefined }],
  ['a delay', 'delay=7', [], { status: 200, delayMs: 7, rules: [] }],
  [
    'an error',
    'code=503',
    [],
    { status: 503, delayMs: undefined, gate: 'prefer', rules: [], mark: 'prefer' },
  ],
  ['a late error', 'code=503, delay=7', [], { status: 503, delayMs: 7, gate: 'prefer', rules: [] }],
  ['an error before rules', 'code=503', [late(5)], { status: 503, delayMs: undefined, rules: [] }],
  ['what cannot be met', 'code=204', [], { status: 200, rules: undefined, mark: 'prefer unmet: code=204' }],
  [
    'a delay of a rule',
    undefined,
    [late(5)],
    { status: 200, delayMs: 5, rules: ['late by 5'], mark: undefined },
  ],
  ['both delays', 'delay=7', [late(5)], { status: 200, delayMs: 12, rules: ['late by 5'] }],
  ['at most ten minutes', 'delay=600000', [late(5)], { status: 200, delayMs: 600_000 }],
  ['a lost request', undefined, [late(5), lost], { delayMs: 5, fault: 'reset', gate: 'rule', mark: 'lost' }],
] as const)('%s', (_, prefer, rules, expected) => {
  expect(call(prefer, rules)).toMatchObject(expected)
})
