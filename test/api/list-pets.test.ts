import { expect, test } from 'vitest'
import { describeDoors, type OpenDoor, type TestReply } from '../support/doors.ts'
import { expectProblem, readLimits } from '../support/expectations.ts'
import { scenarioOf } from '../support/scenarios.ts'

interface PetBody {
  id: number
  name: string
  categoryId: number
  status?: string
}

const pets = (reply: TestReply): PetBody[] => JSON.parse(reply.text)

/** The target of the next page, from a `Link` header. */
function nextTarget(reply: TestReply): string | undefined {
  const url = /^<([^>]*)>; rel="next"$/.exec(reply.headers.link ?? '')?.[1]
  return url === undefined ? undefined : url.replace(/^https?:\/\/[^/]*/, '')
}

async function walk(
  door: OpenDoor,
  first: string,
  between: () => Promise<unknown> = async () => {},
): Promise<PetBody[]> {
  const seen: PetBody[] = []
  for (let target: string | undefined = first; target !== undefined; ) {
    const reply = await door.send({ target, key: 'demo-pro' })
    expect(reply.status).toBe(200)
    seen.push(...pets(reply))
    target = nextTarget(reply)
    if (target !== undefined) await between()
  }
  return seen
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describeDoors('GET /v1/pets', open => {
  test('without parameters: 20 pets, ascending ids, the three headers, a link to the next page', async () => {
    const { send, host } = await open()
    const reply = await send()
    expect(reply.status).toBe(200)
    expect(pets(reply).map(pet => pet.id)).toEqual(ids(1, 20))
    expect(readLimits(reply)).toMatchObject({ limit: 60, remaining: 59 })
    expect(reply.headers.link).toMatch(
      new RegExp(`^<http://${host}/v1/pets\\?cursor=[A-Za-z0-9_-]+>; rel="next"$`),
    )
    expect(reply.headers['content-type']).toBe('application/json')
  })

  test.each([
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?limit=20&unknown=x&%zz=1', 20],
    ['?&&limit=3&', 3],
    ['?lim%69t=4', 4],
  ])('%s: %i pets', async (query, count) => {
    const { send } = await open()
    expect(pets(await send({ target: `/v1/pets${query}` }))).toHaveLength(count)
  })

  test('a page is the same however often it is asked for, in any script', async () => {
    const { send } = await open()
    const asked = { target: '/v1/pets?limit=20' }
    const texts = [(await send(asked)).text, (await send(asked)).text, (await send(asked)).text]
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('"Жучка"')
  })

  test.each([
    '0',
    '101',
    '-1',
    'abc',
    '1.5',
    '020',
    '',
    '+20',
    '%2B20',
    '2e1',
    '0x14',
    '20.',
    '99999999999999999999',
  ])('limit=%s: 400', async limit => {
    const { send } = await open()
    const reply = await send({ target: `/v1/pets?limit=${limit}` })
    expect(expectProblem(reply, 400, 'invalid_parameter')).toContain(
      'limit must be a whole number from 1 to 100',
    )
    expect(readLimits(reply).remaining).toBe(59)
  })

  test.each([
    ['limit=1&limit=2', 'limit is given 2 times'],
    ['limit=%zz', 'limit cannot be decoded: "limit=%zz" is not UTF-8 in percent-encoding'],
    ['status=%e4', 'status cannot be decoded'],
    ['cursor=%', 'cursor cannot be decoded'],
    ['limit=+20', 'not " 20"'],
    ['status=sold+', 'status must be one of available, pending, sold, not "sold "'],
    ['limit=1&limit=1', 'limit is given 2 times'],
    ['status=sold&status=sold', 'status is given 2 times'],
    ['status=Sold', 'status must be one of available, pending, sold, not "Sold"'],
    ['status=', 'status must be one of'],
    ['cursor=', 'cursor is unknown: copy it unchanged from a Link header'],
    ['cursor=abc', 'cursor is unknown: copy it unchanged from a Link header'],
    // after:-1 and after:0, which are the ids of no pets.
    ['cursor=YWZ0ZXI6LTE', 'cursor is unknown: copy it unchanged from a Link header'],
    ['cursor=YWZ0ZXI6MA', 'cursor is unknown: copy it unchanged from a Link header'],
    ['cursor=YWZ0ZXI6MDE', 'cursor is unknown: copy it unchanged from a Link header'],
    ['cursor=YWZ0ZXI6Mg==', 'cursor is unknown: copy it unchanged from a Link header'],
    ['cursor=YWZ0ZXI6Mh', 'cursor is unknown: copy it unchanged from a Link header'],
  ])('%s: 400', async (query, message) => {
    const { send } = await open()
    expect(expectProblem(await send({ target: `/v1/pets?${query}` }), 400, 'invalid_parameter')).toContain(
      message,
    )
  })

  test('a query has at most 1,000 parameters', async () => {
    const { send } = await open()
    expect(pets(await send({ target: `/v1/pets?limit=5&${'x&'.repeat(999)}` }))).toHaveLength(5)
    const reply = await send({ target: `/v1/pets?${'x&'.repeat(1_001)}` })
    expect(expectProblem(reply, 400, 'invalid_parameter')).toBe(
      'the query has 1001 parameters: send at most 1,000 query parameters.',
    )
  })

  test('several things wrong: the answer names all of them', async () => {
    const { send } = await open()
    const message = expectProblem(
      await send({ target: '/v1/pets?limit=0&status=x&cursor=y' }),
      400,
      'invalid_parameter',
    )
    expect(message).toMatch(/limit .*; status .*; cursor /)
  })

  test.each(['available', 'pending', 'sold'])('?status=%s: only those, and all of them', async status => {
    const door = await open()
    const all = await walk(door, '/v1/pets?limit=100')
    const filtered = await walk(door, `/v1/pets?status=${status}&limit=7`)
    expect(filtered).toEqual(all.filter(pet => pet.status === status))
    expect(filtered.length).toBeGreaterThan(0)
  })

  test('following next visits every pet exactly once', async () => {
    const door = await open()
    expect((await walk(door, '/v1/pets?limit=7')).map(pet => pet.id)).toEqual(ids(1, 100))
  })

  test('following next visits every pet exactly once, also while pets are being created', async () => {
    const door = await open()
    let created = 0
    const seen = await walk(door, '/v1/pets?limit=9', async () => {
      if (created >= 30) return
      created += 2
      await door.send({ method: 'POST', key: 'demo-business', body: { name: 'Late', categoryId: 1 } })
      await door.send({
        method: 'POST',
        key: 'demo-business',
        body: { name: 'Later', categoryId: 1, status: 'sold' },
      })
    })
    expect(seen.map(pet => pet.id)).toEqual(ids(1, 100 + created))
    expect(created).toBeGreaterThan(20)
  })

  test('the last page, and a page that is just full, have no link', async () => {
    const { send } = await open()
    expect((await send({ target: '/v1/pets?limit=100' })).headers.link).toBeUndefined()
    const fifty = await send({ target: '/v1/pets?limit=50&note=a%20b' })
    expect(nextTarget(fifty)).toMatch(/^\/v1\/pets\?limit=50&note=a%20b&cursor=/)
    const rest = await send({ target: nextTarget(fifty) ?? '' })
    expect([pets(rest).length, rest.headers.link]).toEqual([50, undefined])
  })

  test.each([
    ['limit=1&x=>;rel="prev",<http://evil', 'limit=1&x=%3E;rel=%22prev%22,%3Chttp://evil'],
    ['limit=1&%zz=%&a[b]=\\^`{|}', 'limit=1&%25zz=%25&a%5Bb%5D=%5C%5E%60%7B%7C%7D'],
    ["limit=1&a=-._~!$'()*+,;:@/?%C3%a9", "limit=1&a=-._~!$'()*+,;:@/?%C3%a9"],
  ])('%s stands in the link to the next page as a URL has it', async (query, rest) => {
    const { send, host } = await open()
    const reply = await send({ target: `/v1/pets?${query}` })
    expect(reply.headers.link).toBe(`<http://${host}/v1/pets?${rest}&cursor=YWZ0ZXI6MQ>; rel="next"`)
  })

  test('a long limit is not said again whole', async () => {
    const { send } = await open()
    const message = expectProblem(
      await send({ target: `/v1/pets?limit=${'9'.repeat(9_000)}&status=${'x'.repeat(5_000)}` }),
      400,
      'invalid_parameter',
    )
    expect(message.length).toBeLessThan(400)
  })

  test('a created pet appears at once, where its id belongs', async () => {
    const { send } = await open({ scenario: scenarioOf({ pets: { count: 3 } }) })
    expect(pets(await send())).toHaveLength(3)
    await send({ method: 'POST', body: { name: 'Rex', categoryId: 1, status: 'pending' } })
    expect(pets(await send()).at(-1)).toEqual({ id: 4, name: 'Rex', categoryId: 1, status: 'pending' })
    expect(pets(await send({ target: '/v1/pets?status=pending' })).at(-1)?.id).toBe(4)
  })

  test('pageSize: clamp takes the nearest size for a whole number, and refuses the rest', async () => {
    const { send } = await open({ scenario: scenarioOf({ pageSize: 'clamp' }) })
    expect(pets(await send({ target: '/v1/pets?limit=0' }))).toHaveLength(1)
    expect(pets(await send({ target: '/v1/pets?limit=1000' }))).toHaveLength(100)
    expectProblem(await send({ target: '/v1/pets?limit=abc' }), 400, 'invalid_parameter')
  })

  test('pagination: none sends no link and knows no cursor', async () => {
    const { send } = await open({ scenario: scenarioOf({ pagination: 'none' }) })
    const reply = await send({ target: '/v1/pets?cursor=nonsense' })
    expect([reply.status, reply.headers.link, pets(reply).length]).toEqual([200, undefined, 20])
  })
})
