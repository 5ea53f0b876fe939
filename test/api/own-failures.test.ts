import { expect, test } from 'vitest'
import type { Exchange } from '../../src/emulator/journal/exchange.ts'
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
    const { send, emulator } = await open({
      scenario: { ...scenarioOf({}), orders },
      onError: error => errors.push(error),
    })
    const reply = await send({ target: '/v1/store/orders' })
    expectProblem(reply, 500, 'internal_error')
    expect(readLimits(reply).remaining).toBe(59)
    expect(reply.text).not.toMatch(/fire|\.ts|at /)
    expect(errors).toEqual([failure])
    expect([...emulator.sandboxes.default.journal].map(({ trace }) => trace)).toMatchObject([
      { gate: 'failure', operation: 'listOrders', limit: { accepted: true } },
    ])
    expect((await send()).status).toBe(200)
  })

  test.each([
    ['deprecation', 'after the call was counted', 59],
    ['bans', 'before the call was counted', undefined],
  ] as const)(
    'a gate that fails on the setting %s, %s: 500, recorded like any other call',
    async (setting, _when, remaining) => {
      const failure = new Error(`${setting} is on fire`)
      const scenario = scenarioOf({})
      const behaviour = Object.defineProperty({ ...scenario.behaviour }, setting, {
        get: () => {
          throw failure
        },
      })
      const errors: unknown[] = []
      const { send, emulator } = await open({
        scenario: { ...scenario, behaviour },
        onError: (error, { method, target }) => errors.push([error, method, target]),
      })
      const seen: Exchange[] = []
      emulator.observe(exchange => seen.push(exchange))
      const reply = await send({ target: '/v1/pets/1' })
      expectProblem(reply, 500, 'internal_error')
      expect(reply.headers['x-ratelimit-remaining']).toBe(
        remaining === undefined ? undefined : `${remaining}`,
      )
      expect(reply.text).not.toMatch(/fire|\.ts|at /)
      expect(errors).toEqual([[failure, 'GET', '/v1/pets/1']])
      const recorded = [...emulator.sandboxes.default.journal]
      for (const exchanges of [seen, recorded]) {
        expect(exchanges).toHaveLength(1)
        expect(exchanges[0]?.trace).toMatchObject({
          gate: 'failure',
          code: 'internal_error',
          key: 'demo-free',
        })
        expect(exchanges[0]?.reply.status).toBe(500)
      }
      expectProblem(await send({ target: '/v1/pets/1', key: null }), 401, 'missing_api_key')
    },
  )
})
