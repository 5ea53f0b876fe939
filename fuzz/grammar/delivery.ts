import fc from 'fast-check'
import type { Delivery } from '../wire/connection.ts'

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
