import { expect, test } from 'vitest'
import { readFleetFile } from '../../../src/judges/fleet/read-fleet.ts'

/** What is wrong with a group of three instances. */
async function wrongIn(fields: string): Promise<readonly string[]> {
  const reading = await readFleetFile('fleet.yaml', `groups: [{ instances: 3, ${fields} }]`)
  return reading.ok ? [] : reading.complaints.map(({ message }) => message)
}

test.each(['7/m', '70/m', '3.5/s each', '1234.25/h', '0.01/d'])('a demand of %s is a rate', async rate => {
  expect(await wrongIn(`demand: ${rate}`)).toEqual([])
})

test.each(['0/m', '0.0/m', '70', '70/w', '.5/m', '70/m  each', '-7/m'])(
  'a demand of %s is none',
  async rate => {
    expect(await wrongIn(`demand: '${rate}'`)).toEqual([
      expect.stringContaining('groups[0].demand: expected a rate above 0, such as 70/m, or 3.5/m each'),
    ])
  },
)

const hours = (last: number) => `byHour: [${Array.from({ length: 23 }, () => 0)}, ${last}]`
const either = 'groups[0]: expected either demand or recording'

test.each<[fields: string, wrong: readonly string[]]>([
  ['recording: calls.har', []],
  ['demand: 70/m, recording: calls.har', [either]],
  ['name: shop', [either]],
  [`demand: 70/m, ${hours(1)}`, []],
  [`demand: 70/m, ${hours(0)}`, ['groups[0]: byHour: expected a number above 0']],
  [
    'demand: 70/m, byHour: [1, 2]',
    ['groups[0]: byHour: expected 24 numbers, one for each hour of the day, found 2'],
  ],
])('a group with %s', async (fields, wrong) => {
  expect(await wrongIn(fields)).toEqual(wrong)
})
