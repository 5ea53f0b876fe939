import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'
import { unjudgedTexts } from '../../support/reports.ts'

/** Three calls are left, as in `rate-limit-exhaustion`. Nobody is banned. */
const threeLeft = { bans: 'off', keys: { 'demo-free': { plan: 'free', used: { minute: 57 } } } } as const

const list = 'GET /v1/pets'
const on = (connection: number) => ({ connection })

/** `fetch` in sequence: it alternates between two connections, of which it opens the second one after the first reply. */
function fetchInSequence({ call, wait }: Pilot, count: number): void {
  for (let made = 0; made < count; made += 1) {
    if (made > 0) wait(made === 1 ? 20 : 5)
    call(list, on(made % 2))
  }
}

/** After the first refusal, the free connection that was used last. */
function earlyFetch(pilot: Pilot, pauseMs: number, count: number): void {
  for (let made = 0; made < count; made += 1) {
    pilot.wait(pauseMs)
    pilot.call(list, on(0))
  }
}

/** As curl: a connection for each call. */
function connectionEach({ call, wait, close }: Pilot, pauseMs: number, lines: readonly string[], from = 100) {
  for (const [index, line] of lines.entries()) {
    call(line, on(from + index))
    wait(1)
    close(from + index)
    wait(pauseMs)
  }
}

const same = (count: number) => Array.from({ length: count }, () => list)
const others = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /v1/pets?limit=${index + 1}`)

interface Row {
  readonly client: string
  readonly live: (pilot: Pilot) => void
  readonly found: readonly string[]
  /** Calls that are not judged. */
  readonly open?: number
}

const oneCaller: readonly Row[] = [
  ...[50, 100, 300, 700, 1_200, 2_000].flatMap(pause =>
    [1, 2, 3, 5].map(count => ({
      client: `fetch in sequence, ${count} early after ${pause} ms each`,
      live: (pilot: Pilot) => {
        fetchInSequence(pilot, 4)
        earlyFetch(pilot, pause, count)
      },
      found: [count === 1 ? 'early-retry' : `early-retry ×${count}`],
    })),
  ),
  ...[0, 5].map(pause => ({
    client: `fetch in sequence, five early after ${pause} ms each: the first may cross the refusal`,
    live: (pilot: Pilot) => {
      fetchInSequence(pilot, 4)
      earlyFetch(pilot, pause, 5)
    },
    found: ['early-retry ×4'],
    open: 1,
  })),
  {
    client: 'one kept connection, without a pause',
    live: ({ repeat }) => repeat(9),
    found: ['early-retry ×5'],
  },
  {
    client: 'one kept connection, three other calls',
    live: ({ call, wait, repeat }) => {
      repeat(4)
      for (const line of others(3)) {
        wait(300)
        call(line)
      }
    },
    found: ['called-while-limited ×3'],
  },
  {
    client: 'the first connection of another key is no second caller',
    live: ({ call, wait, open, repeat }) => {
      open(1, 2)
      call(list, { key: 'demo-pro', connection: 2 })
      repeat(4)
      wait(300)
      call()
    },
    found: ['early-retry'],
  },
  {
    client: 'a spare connection without a call is no second caller',
    live: ({ wait, open, call, repeat }) => {
      open(1, 2)
      repeat(4)
      wait(300)
      call()
    },
    found: ['early-retry'],
  },
]

const eachCall: readonly Row[] = [
  ...[1, 2].map(count => ({
    client: `a connection for each call, ${count} early, and none comes back`,
    live: (pilot: Pilot) => connectionEach(pilot, 300, same(4 + count)),
    found: [],
    open: count,
  })),
  {
    client: 'a connection for each call, three early',
    live: pilot => connectionEach(pilot, 300, same(7)),
    found: ['early-retry ×3'],
  },
  {
    client: 'a connection for each call, one early, and a right wait',
    live: pilot => {
      connectionEach(pilot, 300, same(5))
      pilot.wait(59_600)
      connectionEach(pilot, 300, same(1), 200)
    },
    found: ['early-retry'],
  },
]

const atOnce: readonly Row[] = [
  {
    client: 'two workers that go on to the same call at once: each may make it before it has the refusal',
    live: ({ open, call, wait }) => {
      open(1, 2)
      for (const line of ['GET /v1/pets?status=sold', list])
        for (const connection of [1, 2]) call(line, on(connection))
      wait(50)
      call(list, on(1))
    },
    found: [],
  },
  {
    client: '66 equal calls over 66 connections',
    live: ({ open, call, wait }) => {
      const all = Array.from({ length: 66 }).keys()
      open(...Array.from({ length: 66 }).keys())
      for (const connection of all) {
        call(list, on(connection))
        wait(connection % 3 === 0 ? 1 : 0)
      }
    },
    found: [],
  },
  {
    client: '66 different calls over 66 connections',
    live: ({ open, call }) => {
      open(...Array.from({ length: 66 }).keys())
      for (const [connection, line] of others(66).entries()) call(line, on(connection))
    },
    found: [],
  },
  {
    client: '20 calls that wait for one of four connections',
    live: ({ open, call, wait }) => {
      open(1, 2, 3, 4)
      for (let made = 0; made < 20; made += 1) {
        call(list, on(1 + (made % 4)))
        wait(3)
      }
    },
    found: [],
  },
  {
    client:
      'four workers with a pause, each of which obeys its own refusal, over the connection that was freed last',
    live: ({ open, call, wait }) => {
      open(1, 2, 3, 4)
      for (const connection of [1, 2, 3]) call(list, on(connection))
      call(list, on(4))
      for (const connection of [1, 1, 2]) {
        wait(50)
        call(list, on(connection))
      }
    },
    found: [],
  },
  {
    client: 'two workers with other calls: an equal one is no second caller',
    live: ({ open, call, wait }) => {
      open(1, 2)
      call(list, on(1))
      call('GET /v1/pets?limit=1', on(2))
      for (const _ of [1, 2, 3]) {
        wait(50)
        call(list, on(1))
      }
    },
    found: ['early-retry'],
  },
  {
    client: 'other calls at once, then equal ones in sequence over the connection that is free for longest',
    live: ({ open, call, wait }) => {
      open(1, 2, 3)
      for (const [index, line] of others(3).entries()) call(line, on(index + 1))
      for (let made = 0; made < 4; made += 1) {
        wait(200)
        call(list, on(1 + (made % 3)))
      }
    },
    found: ['early-retry ×3'],
  },
  {
    client: 'calls in sequence after two at once: one is excused, and another one may be a third worker’s',
    live: ({ open, call, wait }) => {
      open(1, 2)
      call(list, on(1))
      call(list, on(2))
      for (let made = 0; made < 5; made += 1) {
        wait(200)
        call(list, on(1))
      }
    },
    found: ['early-retry'],
    open: 1,
  },
  {
    client: 'three workers over two connections, each of which obeys its own refusal',
    live: ({ open, call, wait }) => {
      open(1, 2)
      call(list, on(1))
      call(list, on(2))
      call(list, on(1))
      for (const pause of [400, 400, 400, 59_200, 400, 400]) {
        wait(pause)
        call(list, on(1))
      }
    },
    found: ['called-while-limited'],
  },
  {
    client: 'three workers, one of which was held up until the others had their replies, over its connection',
    live: ({ open, call, wait }) => {
      open(1, 2)
      call(list, on(1))
      call(list, on(2))
      wait(1)
      for (const pause of [400, 400, 400, 58_800, 400, 400, 0]) {
        call(list, on(3))
        wait(pause)
      }
    },
    found: ['called-while-limited'],
  },
  {
    client: 'calls in sequence without a pause while another connection is free: no queue',
    live: ({ open, call, wait }) => {
      open(1, 2)
      call(list, on(1))
      call(list, on(2))
      wait(400)
      for (let made = 0; made < 6; made += 1) {
        wait(2)
        call(list, on(1))
      }
    },
    found: ['early-retry ×3'],
  },
  {
    client: 'two calls at once over two kept connections, after calls in sequence',
    live: pilot => {
      fetchInSequence(pilot, 3)
      pilot.wait(500)
      pilot.call(list, on(0))
      pilot.wait(1)
      pilot.call(list, on(1))
    },
    found: [],
    open: 1,
  },
]

const several: readonly Row[] = [
  {
    client: 'six processes at a steady pace, each of which comes back: no loop',
    live: pilot => {
      connectionEach(pilot, 300, same(9))
      pilot.wait(58_000)
      connectionEach(pilot, 300, same(6), 200)
    },
    found: ['called-while-limited ×5'],
  },
  {
    client: 'two processes, of which one calls again only long after the wait: perhaps another one',
    live: ({ call, wait, repeat }) => {
      repeat(4)
      wait(500)
      call(list, on(2))
      wait(69_500)
      call()
      wait(500)
      call(list, on(2))
    },
    found: [],
    open: 1,
  },
  {
    client: 'two processes that never overlap and come back',
    live: ({ call, wait, repeat }) => {
      repeat(4)
      wait(500)
      call(list, on(2))
      wait(59_500)
      call()
      wait(500)
      call(list, on(2))
    },
    found: ['called-while-limited'],
  },
  {
    client: 'two processes of which one counts the whole seconds of Retry-After, which are rounded up',
    live: ({ call, wait, repeat }) => {
      call()
      wait(55_000)
      repeat(3)
      wait(500)
      call(list, on(2))
      wait(4_600)
      call()
      wait(750)
      call(list, on(2))
    },
    found: ['called-while-limited'],
  },
  {
    client: 'two processes at one pace, of which one always comes just after the other',
    live: ({ call, wait }) => {
      for (const connection of [1, 2, 1, 2, 1]) {
        call(list, on(connection))
        wait(connection === 1 ? 5 : 45)
      }
      wait(60_000)
      call(list, on(2))
      call(list, on(1))
    },
    found: ['called-while-limited'],
  },
  {
    client: 'two keys in turn',
    live: ({ call, wait, repeat }) => {
      repeat(4)
      for (const _ of [1, 2, 3]) {
        wait(300)
        call(list, { key: 'demo-pro' })
      }
    },
    found: [],
  },
]

for (const [title, rows] of Object.entries({
  'one caller': oneCaller,
  'a connection for each call': eachCall,
  'calls at once': atOnce,
  'several callers': several,
}))
  describe(title, () => {
    test.each(rows)('$client', ({ live, found, open = 0 }) => {
      const report = fly(threeLeft, live)
      expect(idsOf(report).filter(id => !/^(?:quota-peak|no-backoff)/.test(id))).toEqual(found)
      expect(report.unjudged.reduce((sum, { count }) => sum + count, 0)).toBe(open)
      expect(unjudgedTexts(report)).toHaveLength(open === 0 ? 0 : 1)
    })
  })

test('on a busy machine, a queue pauses for longer: the gaps before a refusal say so', () => {
  const busy = { bans: 'off', keys: { 'demo-free': { plan: 'free', used: { minute: 46 } } } } as const
  const queue = (pauseMs: number) =>
    fly(busy, ({ open, call, wait }) => {
      open(1, 2, 3, 4)
      for (let made = 0; made < 40; made += 1) {
        call(list, on(1 + (made % 4)))
        wait(made % 10 === 5 ? pauseMs : 2)
      }
    })
  expect(idsOf(queue(60))).toEqual([])
  // Nothing is queued for that long.
  expect(idsOf(queue(400))[0]).toMatch(/^early-retry/)
})

test('of a client that never comes back, the finding says that several processes may have made the calls', () => {
  const detailOf = (pilots: (pilot: Pilot) => void) => fly(threeLeft, pilots).findings[0]?.evidence[0]?.detail
  expect(detailOf(pilot => connectionEach(pilot, 300, same(7)))).toMatch(
    /; no refused call came back, as from a client that gives up \(or from several processes that share the key\)$/,
  )
  expect(detailOf(({ repeat }) => repeat(9))).not.toContain('came back')
})

test('500 early calls wait for a later one that decides who made them, and further ones are judged at once', () => {
  const key = { plan: 'free', limits: { minute: 1_000, day: 10_000 }, used: { minute: 1_000 } }
  const pets = Array.from({ length: 501 }, (_, index) => `GET /v1/pets/${index}`)
  const lines = [...pets, 'GET /v1/pets/1']
  const found = fly({ bans: 'off', keys: { 'demo-free': key } }, pilot => {
    connectionEach(pilot, 0, lines)
    pilot.wait(60_000)
    connectionEach(pilot, 0, lines, 1_000)
  })
  expect(idsOf(found).filter(id => /^(?:early|called)/.test(id))).toEqual([
    'early-retry',
    'called-while-limited ×500',
  ])
})

test('another call is a warning, and an error from the third one in a wait', () => {
  const severities = [1, 2, 3].map(count => {
    const { findings } = fly(threeLeft, ({ call, repeat }) => [
      repeat(4),
      others(count).map(line => call(line)),
    ])
    return findings[0]?.severity
  })
  expect(severities).toEqual(['warning', 'warning', 'error'])
})

describe('for all clients', () => {
  test('of one caller in sequence on one kept connection, every early call is a finding', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 1, maxLength: 20 }), pauses => {
        const { findings, unjudged } = fly(threeLeft, ({ call, wait, repeat }) => {
          repeat(4)
          for (const pause of pauses) {
            wait(pause)
            call()
          }
        })
        expect(findings.find(({ id }) => id === 'early-retry')?.count).toBe(pauses.length)
        expect(unjudged).toEqual([])
      }),
    )
  })

  test('of w concurrent connections, at most w − 1 calls are excused in a wait', () => {
    const flights = fc.record({
      width: fc.integer({ min: 2, max: 8 }),
      calls: fc.array(fc.record({ pause: fc.integer({ min: 16, max: 400 }), on: fc.nat() }), {
        minLength: 1,
        maxLength: 30,
      }),
    })
    fc.assert(
      fc.property(flights, ({ width, calls }) => {
        const { findings, unjudged } = fly(
          { bans: 'off', keys: { 'demo-free': { plan: 'free', used: { minute: 60 - width } } } },
          ({ open, call, wait }) => {
            const all = [...Array.from({ length: width }).keys()]
            open(...all)
            for (const connection of all) call(list, on(connection))
            wait(50)
            call(list, on(0))
            for (const { pause, on: connection } of calls) {
              wait(pause)
              call(list, on(connection % width))
            }
          },
        )
        const early = findings
          .filter(({ id }) => id === 'early-retry' || id === 'called-while-limited')
          .reduce((sum, { count }) => sum + count, 0)
        const open = unjudged.reduce((sum, { count }) => sum + count, 0)
        expect(calls.length - early - open).toBeLessThanOrEqual(width - 1)
        expect(open).toBeLessThanOrEqual(2)
      }),
    )
  })
})
