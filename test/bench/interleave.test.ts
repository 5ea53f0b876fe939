import { expect, it } from 'vitest'
import { interleave } from '../../tools/bench/statistics.ts'

it('measures everybody once a round, and begins each round with another one', async () => {
  const order: string[] = []
  await interleave({ a: 1, b: 2, c: 3 }, 3, async (_contestant, name) => order.push(name))
  expect(order.join('')).toBe('abcbcacab')
})

it('reports a contestant that could not be measured, and measures the others', async () => {
  const contestants = { a: 1, absent: { notRun: 'not here' }, b: 2 }
  let left = 2
  const measure = async (contestant: number, name: string) => {
    if (name === 'b' && left-- === 1) throw new Error('it broke')
    return contestant * 10
  }
  expect(await interleave(contestants, 3, measure)).toEqual({
    a: [10, 10, 10],
    absent: { notRun: 'not here' },
    b: { notRun: 'it broke' },
  })
})
