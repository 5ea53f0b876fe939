import fc from 'fast-check'
import type { Call } from '../../../src/service/call/call.ts'
import type { Delivery } from '../wire/connection.ts'
import { anyBody, anyHeaders, anyMethod, anyTarget, oneOf } from './any-request.ts'

export const anyCall: fc.Arbitrary<Call> = fc.record({
  method: anyMethod,
  target: anyTarget,
  headers: anyHeaders.map(pairs => pairs.flat()),
  body: fc.oneof({ weight: 6, arbitrary: anyBody }, oneOf('too-large' as const, undefined)),
  scheme: oneOf('http', 'https'),
  client: oneOf('127.0.0.1', '::1', 'unknown'),
  receivedAt: fc.integer({ min: 0, max: 2 ** 42 }),
})

/** Good calls, one after the other, that reach the store. */
export const goodCalls: readonly Call[] = [
  ['GET', '/v1/pets?limit=2'],
  ['POST', '/v1/pets', '{"name":"Rex","categoryId":1}'],
  ['GET', '/v1/pets/1'],
  ['GET', '/v1/store/orders'],
  ['HEAD', '/v1/pets'],
].map(([method = '', target = '', body], index) => ({
  method,
  target,
  headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-pro', 'Content-Type', 'application/json'],
  body: body === undefined ? undefined : new TextEncoder().encode(body),
  scheme: 'http',
  client: '127.0.0.1',
  receivedAt: 1_772_452_800_000 + index,
}))

const cuts = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
  },
)
const pauseMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(1, 5) },
)

/** Mostly at once and to the end; sometimes in pieces, slowly, or cut off by the client. */
export const delivery: fc.Arbitrary<Delivery> = fc.record({
  cuts,
  pauseMs,
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Delivery['end']>('close', 'wait') },
    { weight: 1, arbitrary: fc.constantFrom<Delivery['end']>('reset', 'leave') },
  ),
})
