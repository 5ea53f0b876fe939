import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeDoors } from '../support/doors.ts'
import { expectProblem, readLimits } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

const rex = { method: 'POST', body: { name: 'Rex', categoryId: 1 } } as const

describeDoors('sandboxes', open => {
  test('demo-free+worker-3 is demo-free in a world of its own: pets, ids and counters', async () => {
    const { send, emulator } = await open()
    expect((await send({ ...rex, key: 'demo-free+worker-3' })).headers.location).toBe('/v1/pets/101')
    expect(readLimits(await send({ key: 'demo-free+worker-3' })).remaining).toBe(58)
    expect((await send({ target: '/v1/pets/101', key: 'demo-free+worker-4' })).status).toBe(404)
    const reply = await send({ target: '/v1/pets/101' })
    expect([reply.status, readLimits(reply).remaining]).toEqual([404, 59])
    expect(emulator.sandboxes.names()).toEqual(['default', 'worker-3', 'worker-4'])
  })

  test('+default is the default sandbox', async () => {
    const { send, emulator } = await open()
    await send({ key: 'demo-free+default' })
    expect(readLimits(await send()).remaining).toBe(58)
    expect(emulator.sandboxes.names()).toEqual(['default'])
  })

  test('an exact key goes before a split, and the split is at the last +', async () => {
    const keys = { 'a+b': { plan: 'pro' }, a: { plan: 'free' } }
    const { send, emulator } = await open({ scenario: scenarioOf({ keys }) })
    expect(readLimits(await send({ key: 'a+b' })).limit).toBe(300)
    expect(readLimits(await send({ key: 'a+c' })).limit).toBe(60)
    expect(readLimits(await send({ key: 'a+b+c' })).limit).toBe(300)
    expect(emulator.sandboxes.names()).toEqual(['default', 'c'])
  })

  test.each([
    'unknown+w1',
    'demo-free+',
    'demo-free+a/b',
    `demo-free+${'x'.repeat(65)}`,
    '+w1',
    'revoked+w1',
  ])('%s: 401, and no sandbox is made', async key => {
    const { send, emulator } = await open({
      scenario: scenarioOf({ keys: { revoked: { plan: 'free', revoked: true } } }),
    })
    expectProblem(await send({ key }), 401, 'invalid_api_key')
    expect(emulator.sandboxes.names()).toEqual(['default'])
  })

  test('a call without a valid key is booked in the sandbox that its suffix names, if there is one', async () => {
    const { send, emulator } = await open()
    await send({ key: 'demo-free+w1' })
    await send({ key: 'unknown+w1' })
    await send({ key: 'unknown+w2' })
    const booked = (name: string) => [...(emulator.sandboxes.get(name)?.journal ?? [])].length
    expect([booked('w1'), booked('default'), booked('w2')]).toEqual([2, 1, 0])
  })

  test('with more than 1 000, the least recently used one goes, and a notice says so', async () => {
    const notices: string[] = []
    const { send, emulator } = await open({ onNotice: text => notices.push(text) })
    for (let worker = 1; worker <= 1_000; worker += 1) await send({ key: `demo-free+w${worker}` })
    expect([emulator.sandboxes.names().length, notices.length]).toEqual([1_000, 1])
    expect(notices[0]).toContain('"w1"')
    await send({ key: 'demo-free+w2' })
    await send({ key: 'demo-free+new' })
    expect(notices[1]).toContain('"w3"')
    expect(emulator.sandboxes.names()).toContain('w2')
  })

  test('interleaved calls of many sandboxes are answered as if each were alone', async () => {
    const steps = ['list', 'create', 'refused'] as const
    const requests = { list: {}, create: rex, refused: { target: '/v1/pets?limit=0' } }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...steps)), { maxLength: 40 }),
        async calls => {
          const together = await open()
          const mixed: Record<string, string[]> = { a: [], b: [], c: [] }
          for (const [sandbox, step] of calls) {
            const reply = await together.send({ ...requests[step], key: `demo-free+${sandbox}` })
            mixed[sandbox]?.push(`${reply.status} ${readLimits(reply).remaining} ${reply.text}`)
          }
          for (const sandbox of ['a', 'b', 'c']) {
            const alone = await open()
            const replies: string[] = []
            for (const [, step] of calls.filter(([name]) => name === sandbox)) {
              const reply = await alone.send({ ...requests[step], key: `demo-free+${sandbox}` })
              replies.push(`${reply.status} ${readLimits(reply).remaining} ${reply.text}`)
            }
            expect(mixed[sandbox]).toEqual(replies)
          }
        },
      ),
      { numRuns: 10 },
    )
  })
})
