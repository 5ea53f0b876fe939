import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Breach } from '../../../src/emulator/journal/exchange.ts'
import { Journal, JournalBudget } from '../../../src/emulator/journal/journal.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Adds ten calls to a journal, and a breach to each. */
function fill(journal: Journal<{ id: number }>): readonly WeakRef<readonly Breach[]>[] {
  return Array.from({ length: 10 }, (_, index) => {
    const id = index + 1
    const kept = journal.reuse() ?? { id }
    kept.id = id
    journal.add(kept, 1_000)
    const breaches: readonly Breach[] = [
      { side: 'request', part: 'body', place: `${id}`, message: 'a breach' },
    ]
    journal.note(id, breaches)
    return new WeakRef(breaches)
  })
}

test.each([
  ['entries', { entries: 3, bytes: 1_000_000 }],
  ['bytes', { entries: 100, bytes: 3_000 }],
])('a journal that is full by %s forgets the breaches of what it drops', async (_, limits) => {
  const journal = new Journal<{ id: number }>(({ id }) => ({ id }) as never)
  journal.join(new JournalBudget(limits))
  const breaches = fill(journal)
  // A reference that was made in this turn still holds its object.
  await new Promise(resolve => setImmediate(resolve))
  collectGarbage()
  const held = breaches.map((reference, index) => (reference.deref() === undefined ? 0 : index + 1))
  expect(held.filter(id => id > 0)).toEqual([8, 9, 10])
  expect(Array.from(journal, ({ breaches: noted }) => noted?.[0]?.place)).toEqual(['8', '9', '10'])
})
