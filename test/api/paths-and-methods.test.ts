import { expect, test } from 'vitest'
import { describeDoors } from '../support/doors.ts'
import { expectProblem, limitHeaders, readLimits } from '../support/expectations.ts'
import { allowAnywhere, allowAt, otherMethod } from '../support/methods.ts'

describeDoors('request targets', open => {
  test.each([
    '/v1/pets',
    '/v1/%70ets',
    '/%76%31/pets',
    '/v1/pets?',
    '/v1/pets#fragment',
    '/v1/pets?limit=20#?limit=0',
    'http://localhost/v1/pets',
    'HTTP://127.0.0.1:1/v1/pets?limit=20',
  ])('%s is the list of pets', async target => {
    const { send } = await open()
    const reply = await send({ target })
    expect([reply.status, JSON.parse(reply.text).length]).toEqual([200, 20])
  })

  test.each([
    '/v1',
    '/v1/',
    '/v1/pets/',
    '/v1/pets/1/',
    '/v1//pets',
    '/v1/Pets',
    '/v1/pets%2F1',
    '/v1/x/../pets',
    '/v1/./pets',
    '/v1/%2e%2e/v1/pets',
    '/v1/pets;x=1',
    '/v1/pets%zz',
    '/v1/%',
    '/v1/store',
    '/v1/store/orders/1',
    '/v1/__proto__',
    '/v1/nothing?limit=0',
  ])('%s: 404 route_not_found, counted', async target => {
    const { send } = await open()
    const reply = await send({ target })
    expectProblem(reply, 404, 'route_not_found')
    expect(readLimits(reply).remaining).toBe(59)
  })

  test.each([
    ['/v1/pets/', 'Remove the slash at the end: /v1/pets.'],
    ['/v1/pets/7/', 'Remove the slash at the end: /v1/pets/7.'],
    ['/v1/animals', 'The API has /v1/pets, /v1/pets/{petId}, /v1/store/orders.'],
    ['/v1', 'The API has /v1/pets, /v1/pets/{petId}, /v1/store/orders.'],
  ])('%s says what there is instead', async (target, hint) => {
    const { send } = await open()
    expect(expectProblem(await send({ target }), 404, 'route_not_found')).toContain(hint)
    expect(expectProblem(await send({ target, key: null }), 401, 'missing_api_key')).not.toContain('pets')
  })

  test.each([
    '/',
    '/pets',
    '/V1/pets',
    '/v1x',
    '/v2/pets',
    '//evil/v1/pets',
    '/favicon.ico',
    '///',
    '/pets?x=/v1/',
  ])('%s: 404 that says where the API is; no key asked, not counted, no limit headers', async target => {
    const { send, host } = await open()
    const reply = await send({ target, key: null })
    expect(expectProblem(reply, 404, 'route_not_found')).toContain(`http://${host}/v1`)
    for (const header of limitHeaders) expect(reply.headers[header]).toBeUndefined()
    expect(readLimits(await send()).remaining).toBe(59)
  })
})

describeDoors('long paths', open => {
  test.each([
    ['/v1/', 'route_not_found'],
    ['/v1/pets/', 'pet_not_found'],
    ['/', 'route_not_found'],
  ] as const)('%sxxx… is not said again whole', async (start, code) => {
    const { send } = await open()
    const reply = await send({ target: `${start}${'x'.repeat(9_000)}` })
    expect(expectProblem(reply, 404, code).length).toBeLessThan(300)
  })

  test('nor is one with another method or a slash too many', async () => {
    const { send } = await open()
    const target = `/v1/pets/${'x'.repeat(9_000)}`
    const refused = await send({ method: 'PUT', target })
    expect(expectProblem(refused, 405, 'method_not_allowed').length).toBeLessThan(300)
    expect(expectProblem(await send({ target: `${target}/` }), 404, 'route_not_found').length).toBeLessThan(
      400,
    )
  })
})

describeDoors('methods', open => {
  test.each([
    ['PROPFIND', '/v1/pets'],
    [otherMethod, '/v1/pets'],
    [otherMethod, '/v1/pets/1'],
    [otherMethod, '/v1/pets/abc'],
    ['POST', '/v1/store/orders'],
  ])('%s %s: 405 with the methods of the path, counted', async (method, target) => {
    const { send } = await open()
    const reply = await send({ method, target })
    expectProblem(reply, 405, 'method_not_allowed')
    expect(reply.headers.allow).toBe(allowAt(target))
    expect(readLimits(reply).remaining).toBe(59)
  })

  test.each(['/v1/pets', '/v1/pets?limit=0', '/v1/pets/999', '/v1/nothing', '/v1/store/orders', '/'])(
    'HEAD %s is GET without a body',
    async target => {
      const { send } = await open()
      const get = await send({ target })
      const head = await send({ method: 'HEAD', target })
      const { 'x-ratelimit-remaining': _, 'content-length': length, date, ...same } = head.headers
      expect([head.status, head.text, length]).toEqual([get.status, '', get.headers['content-length'] ?? ''])
      expect(get.headers).toMatchObject(same)
      expect(date).toBeDefined()
    },
  )

  test('HEAD without a key is 401 and counts as a call', async () => {
    const { send } = await open()
    const reply = await send({ method: 'HEAD', key: null })
    expect([reply.status, reply.text, readLimits(reply).remaining]).toEqual([401, '', 59])
  })

  test.each(['/v1/pets', '/v1/pets/1', '/v1/nothing', '/', '*'])(
    'OPTIONS %s: 204 with the same Allow for every path, not counted',
    async target => {
      const { send } = await open()
      const reply = await send({ method: 'OPTIONS', target, key: null })
      expect([reply.status, reply.text, reply.headers.allow]).toEqual([204, '', allowAnywhere])
      expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 60 })
    },
  )

  test.each([null, 'demo-free', 'demo-pro'])(
    'OPTIONS with the key %s reports the quota of its address, and takes nothing from it (A04)',
    async key => {
      const { emulator, send, advance } = await open()
      const ask = async () => readLimits(await send({ method: 'OPTIONS', key }))
      const unused = await ask()
      expect(unused).toEqual({ limit: 60, remaining: 60, reset: Date.UTC(2026, 2, 2, 12, 1) / 1_000 })
      expect(await ask()).toEqual(unused)
      expect(emulator.sandboxes.default.anonymous.size).toBe(0)
      await send({ key: null })
      advance(20_000)
      expect(await ask()).toEqual({ ...unused, remaining: 59 })
      expect(await ask()).toEqual({ ...unused, remaining: 59 })
      advance(40_000)
      expect(await ask()).toMatchObject({ remaining: 60, reset: unused.reset + 60 })
    },
  )
})

describeDoors('GET /v1/store/orders', open => {
  test('200, a plain array of open-shaped records, behind the same gates', async () => {
    const { send } = await open()
    const reply = await send({ target: '/v1/store/orders' })
    expect(reply.status).toBe(200)
    const orders: unknown[] = JSON.parse(reply.text)
    expect(Array.isArray(orders) && orders.length).toBeGreaterThan(0)
    expect(readLimits(reply).remaining).toBe(59)
    expectProblem(await send({ target: '/v1/store/orders', key: null }), 401, 'missing_api_key')
  })
})
