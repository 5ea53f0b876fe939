import { expect, test } from 'vitest'
import { describeDoors } from '../support/doors.ts'
import { expectProblem, limitHeaders, readLimits } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

const removal = '2030-12-05T00:00:00Z'
const at = (instant: string) => ({ clock: { at: instant, frozen: true } })

describeDoors('GET /v1/pets/{petId}', open => {
  test('200 with the pet, Sunset and a link to the successor', async () => {
    const { send, host } = await open()
    const reply = await send({ target: '/v1/pets/1' })
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.text)).toMatchObject({
      id: 1,
      name: expect.any(String),
      categoryId: expect.any(Number),
    })
    expect(reply.headers).toMatchObject({
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      link: `<http://${host}/v1/pets>; rel="successor-version"`,
    })
    expect(reply.headers.deprecation).toBeUndefined()
    expect(readLimits(reply).remaining).toBe(59)
  })

  test.each([
    '999999',
    '0',
    '-1',
    'abc',
    '01',
    '1.0',
    '+1',
    '%20',
    '1%2F',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999999',
    '__proto__',
    '%31%30%31',
  ])('/v1/pets/%s: 404 pet_not_found, with Sunset', async petId => {
    const { send } = await open()
    const reply = await send({ target: `/v1/pets/${petId}` })
    expectProblem(reply, 404, 'pet_not_found')
    expect(reply.headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  })

  test('an id that is percent-encoded is the same id', async () => {
    const { send } = await open()
    expect(JSON.parse((await send({ target: '/v1/pets/%31%30' })).text).id).toBe(10)
  })

  test('HEAD: the same headers, no body', async () => {
    const { send } = await open()
    const get = await send({ target: '/v1/pets/1' })
    const head = await send({ method: 'HEAD', target: '/v1/pets/1' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(`${Buffer.byteLength(get.text)}`)
    expect(head.headers.sunset).toBe(get.headers.sunset)
    expect(readLimits(head).remaining).toBe(readLimits(get).remaining - 1)
  })

  test('one millisecond before the removal: 200; at it: 404 endpoint_removed, for whatever id and method', async () => {
    const door = await open({ scenario: scenarioOf(at('2030-12-04T23:59:59.999Z')) })
    expect((await door.send({ target: '/v1/pets/1' })).status).toBe(200)
    door.advance(1)
    for (const request of [
      { target: '/v1/pets/1' },
      { target: '/v1/pets/abc' },
      { target: '/v1/pets/1', method: 'DELETE' },
    ]) {
      const reply = await door.send(request)
      expectProblem(reply, 404, 'endpoint_removed')
      expect([reply.headers.sunset, reply.headers.link]).toEqual([undefined, undefined])
      for (const header of limitHeaders) expect(reply.headers[header]).toBeDefined()
    }
    expect((await door.send()).status).toBe(200)
  })

  test('removal goes before nothing but the gates before it: no key is 401', async () => {
    const { send } = await open({ scenario: scenarioOf(at(removal)) })
    expectProblem(await send({ target: '/v1/pets/1', key: null }), 401, 'missing_api_key')
  })

  test('deprecation.since is sent as a structured date', async () => {
    const { send } = await open({ scenario: scenarioOf({ deprecation: { since: '2026-01-01T00:00:00Z' } }) })
    expect((await send({ target: '/v1/pets/1' })).headers.deprecation).toBe('@1767225600')
    expect((await send()).headers.deprecation).toBeUndefined()
  })

  test.each([
    [410, 410],
    [404, 404],
  ] as const)('deprecation.after: %i', async (after, status) => {
    const { send } = await open({ scenario: scenarioOf({ ...at(removal), deprecation: { after } }) })
    expectProblem(await send({ target: '/v1/pets/1' }), status, 'endpoint_removed')
  })

  test('deprecation.after: keep goes on answering', async () => {
    const { send } = await open({ scenario: scenarioOf({ ...at(removal), deprecation: { after: 'keep' } }) })
    expect((await send({ target: '/v1/pets/1' })).status).toBe(200)
  })

  test('deprecation.removedAt moves the date', async () => {
    const deprecation = { removedAt: '2026-03-02T12:00:01Z' }
    const door = await open({ scenario: scenarioOf({ deprecation }) })
    expect((await door.send({ target: '/v1/pets/1' })).headers.sunset).toBe('Mon, 02 Mar 2026 12:00:01 GMT')
    door.advance(750)
    expectProblem(await door.send({ target: '/v1/pets/1' }), 404, 'endpoint_removed')
  })

  test('a brownout answers as after the removal, with Sunset, and ends by itself', async () => {
    const brownouts = [{ from: '2026-03-02T12:00:00Z', to: '2026-03-02T12:01:00Z' }]
    const door = await open({ scenario: scenarioOf({ deprecation: { brownouts } }) })
    const reply = await door.send({ target: '/v1/pets/1' })
    expectProblem(reply, 404, 'endpoint_removed')
    expect(reply.headers.sunset).toBeDefined()
    door.advance(60_000)
    expect((await door.send({ target: '/v1/pets/1' })).status).toBe(200)
  })

  test('a brownout begins at its very instant, and is over at its end', async () => {
    const brownouts = [{ from: '2026-03-02T12:00:01Z', to: '2026-03-02T12:00:02Z' }]
    const door = await open({ scenario: scenarioOf({ deprecation: { brownouts } }) })
    const statuses: number[] = []
    for (const ms of [749, 1, 999, 1]) {
      door.advance(ms)
      statuses.push((await door.send({ target: '/v1/pets/1' })).status)
    }
    expect(statuses).toEqual([200, 404, 404, 200])
  })

  test.each([
    [410, 410],
    [404, 404],
    ['keep', 404],
  ] as const)('a brownout under deprecation.after: %s is %i', async (after, status) => {
    const brownouts = [{ from: '2026-03-02T12:00:00Z', to: '2026-03-02T12:01:00Z' }]
    const { send } = await open({ scenario: scenarioOf({ deprecation: { after, brownouts } }) })
    expectProblem(await send({ target: '/v1/pets/1' }), status, 'endpoint_removed')
  })
})
