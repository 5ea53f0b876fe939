import { describe, expect, test } from 'vitest'
import { type Exchange, gates } from '../../../src/emulator/journal/exchange.ts'
import { createActors } from '../../../src/judges/conduct/actors.ts'
import { createBursts } from '../../../src/judges/conduct/bursts.ts'
import { reachesApi } from '../../../src/judges/conduct/callers.ts'
import type { HeldRemark, ObservedCall, Remark } from '../../../src/judges/conduct/observed-call.ts'
import { Suspicions } from '../../../src/judges/conduct/suspicions.ts'
import type { Connection } from '../../../src/service/call/call.ts'
import { fly, idsOf } from '../../support/flights.ts'

/** A call that is answered at once. */
function calledAt(receivedAt: number, connection: Connection, headers = {}): Exchange {
  return { call: { receivedAt, connection }, reply: { status: 200, headers } } as unknown as Exchange
}

test('calls at a wrong host, preflights and calls outside the API do not reach the API', () => {
  const without = gates.filter(gate => !reachesApi({ trace: { gate } } as Exchange))
  expect(without).toEqual(['host', 'preflight', 'api'])
})

describe('a call on a new connection', () => {
  /** The actor of a call at 5 s, after two connections closed. */
  function actorAfter(closed: readonly [first: number, second: number]): number {
    const actorOf = createActors(() => 1)
    const connections: readonly [Connection, Connection] = [{ openedAt: 0 }, { openedAt: 0 }]
    actorOf(calledAt(50, connections[0]))
    actorOf(calledAt(150, connections[1]))
    for (const [index, connection] of connections.entries()) connection.closedAt = closed[index] ?? 0
    return actorOf(calledAt(5_000, { openedAt: 5_000 })).id
  }

  test.each<[what: string, closed: readonly [number, number], actor: number]>([
    ['continues the calls of the longest idle one that closed just now', [4_500, 4_600], 1],
    ['continues those of the last that closed, if all closed long ago', [100, 200], 2],
    ['continues those of the one that closed just now', [100, 4_000], 2],
  ])('%s', (_what, closed, actor) => {
    expect(actorAfter(closed)).toBe(actor)
  })
})

describe('a burst', () => {
  /** When the burst of the last of these calls began, if any: one connection calls once, and another one again and again. */
  function lastBurst(openedAt: number, times: readonly number[]): number | undefined {
    const burstOf = createBursts()
    const busy = { openedAt: 1_000 }
    burstOf(calledAt(1_000, busy))
    burstOf(calledAt(1_005, { openedAt }))
    return times.map(at => burstOf(calledAt(at, busy))).at(-1)
  }

  test.each<[what: string, openedAt: number, times: readonly number[], began: number | undefined]>([
    ['goes on while both connections are used', 1_000, [1_010, 1_250], 1_000],
    ['ends when one of its connections is free for more than 250 ms', 1_000, [1_010, 1_256], undefined],
    ['ends so for a connection that opened 250 ms before it, too', 750, [1_010, 1_256], undefined],
    ['goes on beside a connection that is older and called once', 749, [1_010, 1_256], 1_000],
  ])('%s', (_what, openedAt, times, began) => {
    expect(lastBurst(openedAt, times)).toBe(began)
  })
})

describe('a pet whose creation breaks', () => {
  const rex = { body: '{"name":"Rex","categoryId":1}', headers: ['Content-Type', 'application/json'] }
  const late = {
    match: { operation: 'createPet' },
    when: { first: 1 },
    then: { delay: '2s', fault: 'reset' },
  }

  test.each<[what: string, waitMs: number, found: readonly string[]]>([
    ['is no duplicate if it is created again before its reply breaks', 1_000, []],
    ['is a duplicate if it is created again afterwards', 3_000, ['duplicate-create']],
  ])('%s', (_what, waitMs, found) => {
    const report = fly({ rules: [late as never] }, ({ call, wait }) => {
      call('POST /v1/pets', rex)
      wait(waitMs)
      call('POST /v1/pets', { ...rex, connection: 2 })
    })
    expect(idsOf(report).filter(id => id.startsWith('duplicate'))).toEqual(found)
  })
})

describe('early calls', () => {
  function open() {
    const told: string[] = []
    const suspicions = new Suspicions({
      note: () => told.push('noted'),
      hold: remark => remark as unknown as HeldRemark,
      onDoubt: () => told.push('doubtful'),
      portion: () => 1,
    })
    const refuse = (at: number, isEarly: boolean) => {
      const exchange = calledAt(at, {}, { 'Retry-After': '10' })
      const remark = { id: 'early-retry', exchange, detail: () => '' } as Remark
      suspicions.refused('wait', { fingerprint: 7, exchange } as ObservedCall, isEarly ? remark : undefined)
    }
    return { suspicions, told, refuse }
  }

  test('are of one client if they are three, and of anybody if they are fewer', () => {
    const { suspicions, refuse } = open()
    const counts = [1_000, 1_100, 1_200].map(at => {
      refuse(at, true)
      return [suspicions.open().length, suspicions.doubtful()]
    })
    expect(counts).toEqual([
      [0, 1],
      [0, 2],
      [3, 0],
    ])
  })

  test.each<[what: string, returned: number, told: readonly string[]]>([
    ['is an early one if fewer come back in time than were refused', 2, ['noted']],
    ['may be another client’s if as many come back', 4, ['doubtful']],
  ])('of four refused calls, the last one %s', (_what, returned, expected) => {
    const { suspicions, told, refuse } = open()
    for (const isEarly of [false, false, false, true]) refuse(1_000, isEarly)
    suspicions.over('wait')
    for (let call = 0; call < returned; call += 1) suspicions.see(7, 11_000 + call)
    suspicions.end()
    expect(told).toEqual(expected)
  })
})
