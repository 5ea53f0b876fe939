import { expect, test } from 'vitest'
import { describeDoors } from '../support/doors.ts'
import { expectProblem, readLimits } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

describeDoors('a failure of pet-mock itself', open => {
  test('500 in the Error shape with the three headers; the error goes to the log, the stack to no client', async () => {
    const failure = new Error('the orders are on fire')
    const orders = new Proxy([], {
      get: () => {
        throw failure
      },
    })
    const errors: unknown[] = []
    const { send } = await open({
      scenario: { ...scenarioOf({}), orders },
      onError: error => errors.push(error),
    })
    const reply = await send({ target: '/v1/store/orders' })
    expectProblem(reply, 500, 'internal_error')
    expect(readLimits(reply).remaining).toBe(59)
    expect(reply.text).not.toMatch(/fire|\.ts|at /)
    expect(errors).toEqual([failure])
    expect((await send()).status).toBe(200)
  })
})
