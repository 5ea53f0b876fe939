import { expect, test } from 'vitest'
import { lazily } from '../../src/base/lazily.ts'

test('loads once, shares a load under way, and forgets a failure', async () => {
  const outcomes = [new Error('no descriptors'), 'part']
  let loads = 0
  const load = lazily(async () => {
    const outcome = outcomes[loads]
    loads += 1
    if (outcome instanceof Error) throw outcome
    return outcome
  })
  const both = await Promise.allSettled([load(), load()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(loads).toBe(1)
  expect(await load()).toBe('part')
  expect(await load()).toBe('part')
  expect(loads).toBe(2)
})
