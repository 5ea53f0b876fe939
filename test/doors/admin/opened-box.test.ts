import { expect } from 'vitest'
import { openExample, recordExample } from '../../support/opened-box.ts'
import { type TestServer, serverTest as test } from '../../support/raw-http.ts'

const ask = async ({ host }: TestServer, path: string, body?: unknown) => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`http://${host}/__admin${path}`, { ...init, headers })
  return { status: response.status, value: JSON.parse(await response.text()) }
}

test('the calls of an opened box, in the order of the run', async ({ open }) => {
  const server = await open(await openExample(await recordExample(), 7))
  const { value } = await ask(server, '/box/calls?from=4')
  expect(value).toEqual({
    end: 11,
    served: 7,
    calls: [
      {
        number: 4,
        at: '2026-03-02T09:00:01.500Z',
        method: 'POST',
        target: '/v1/pets',
        sandbox: 'worker-3',
        id: 3,
        status: 201,
      },
      expect.objectContaining({ number: 5, target: '/v1/pets/101', status: 200 }),
      ...[6, 7, 8, 9, 10].map(number => expect.objectContaining({ number })),
    ],
  })
  expect((await ask(server, '/health')).value).toMatchObject({ box: 'opened' })
})

test('the world before a call, forwards and backwards', async ({ open }) => {
  const server = await open(await openExample(await recordExample(), 1))
  const look = async (number: number) => {
    const { value } = await ask(server, `/box/calls/${number}`)
    const [key] = value.world.keys
    const left = key?.remaining.minute ?? 60
    const gate = value.request?.gate ?? null
    return [value.world.sandbox, left, value.world.pets, value.world.rules[0]?.acted, value.isSame, gate]
  }
  for (const [number, ...expected] of [
    [2, 'worker-3', 60, 100, undefined, true, 'operation'],
    [7, 'worker-3', 55, 101, 1, true, 'ban'],
    [6, 'worker-3', 56, 101, 0, true, 'rule'],
    [1, 'default', 60, 100, undefined, true, 'operation'],
    [11, 'worker-3', 55, 101, 1, null, null],
  ] as const)
    expect([number, ...(await look(number))]).toEqual([number, ...expected])
  expect((await ask(server, '/box/calls/7')).value.changes).toEqual([
    'banKey in worker-3 { key: demo-free, for: 30s }',
  ])
})

test('the served worlds are moved to a call, with clocks that stand still', async ({ open }) => {
  const server = await open(await openExample(await recordExample(), 11))
  expect((await ask(server, '/keys?sandbox=worker-3')).value.keys[0].bannedUntil).not.toBeNull()
  expect(await ask(server, '/box/at', { number: 4 })).toEqual({ status: 200, value: { served: 4 } })
  expect((await ask(server, '/keys?sandbox=worker-3')).value.keys[0]).toMatchObject({
    bannedUntil: null,
    remaining: { minute: 58 },
  })
  expect((await ask(server, '/clock?sandbox=worker-3')).value).toEqual({
    at: '2026-03-02T09:00:01.500Z',
    frozen: true,
    scale: 0,
  })
})

test('other calls and other servers are refused in words', async ({ open }) => {
  const server = await open(await openExample(await recordExample(), 1))
  for (const asked of [ask(server, '/box/calls/12'), ask(server, '/box/at', { number: 12 })])
    expect(await asked).toMatchObject({
      status: 404,
      value: { code: 'not_found', message: 'There is no call 12: this box has the calls 1 to 10.' },
    })
  const usual = await open()
  for (const asked of [
    ask(usual, '/box/calls'),
    ask(usual, '/box/calls/1'),
    ask(usual, '/box/at', { number: 1 }),
  ])
    expect((await asked).value.message).toBe(
      'This server was not opened from a box. Start one with pet-mock box open FILE.',
    )
  expect((await ask(usual, '/box')).value.message).toContain('Start it with --box FILE')
})
