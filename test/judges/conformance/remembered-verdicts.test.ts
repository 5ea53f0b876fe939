import { expect, test } from 'vitest'
import { remembering, shippedJudge } from './service/check-service.ts'

/* The tests of whole checks judge equal exchanges once. A verdict that one test remembers must be right in the next one. */
const resets = [
  '1772442060',
  '0',
  '-1',
  '1772442060.25',
  '1772442060000',
  '253402300799',
  '253402300800',
  'soon',
]
const judge = await shippedJudge()

function answer(reset: string) {
  return {
    method: 'GET',
    target: '/pets/404',
    requestHeaders: { authorization: 'Bearer key' },
    requestBody: undefined,
    status: 404,
    headers: {
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': reset,
    },
    body: '{"code":"pet_not_found","message":"No pet","status":404}',
  }
}

test.each([
  ['one order', resets],
  ['the other', resets.toReversed()],
])('remembered verdicts are those of the judge, in %s', async (_order, order) => {
  const remembered = remembering(judge)
  const verdicts = async ({ judge: judgeBy }: typeof judge) => {
    const found: string[] = []
    for (const reset of [...order, '1772999999'])
      found.push(
        `${reset}: ${(await judgeBy(answer(reset))).breaches.map(({ message }) => message).join('; ')}`,
      )
    return found
  }
  expect(await verdicts(remembered)).toEqual(await verdicts(judge))
})
