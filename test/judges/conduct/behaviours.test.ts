import { describe, expect, test } from 'vitest'
import { simulate } from '../../support/simulated-clients.ts'
import { arrivals, type Behaviour, backoffs, hastyWaits, otherHabits, politeWaits } from './behaviours.ts'

/** How often each behaviour runs, with other chances. */
const seeds = [1, 2, 3]

const tables: Readonly<Record<string, readonly Behaviour[]>> = {
  'clients that wait': politeWaits,
  'clients that do not wait': hastyWaits,
  'waits between failures': backoffs,
  'replies that do not arrive': arrivals,
  'other habits': otherHabits,
}

for (const [title, behaviours] of Object.entries(tables))
  describe(title, () => {
    test.each(behaviours)('$name', async ({ scenario, live, found }) => {
      for (const scale of [1, 6, 30])
        for (const seed of seeds) {
          const { findings } = await simulate(scenario, live, { scale, seed })
          const ids = findings.map(({ id }) => id).filter(id => id !== 'quota-peak')
          expect(ids, `scale ${scale}, seed ${seed}`).toEqual(found)
        }
    })
  })
