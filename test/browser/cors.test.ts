import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openPage, servePage } from '../support/browser.ts'
import { petCount, remainingOf, rex, type TestServer, serverTest as test } from '../support/raw-http.ts'

/** What the code of a page can make out of a reply. */
interface Seen {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Asked {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly mode?: 'no-cors'
}

/** Calls the API by fetch from within a page; the text of the error when the page may not know the reply. */
function fetchFrom(page: Page, asked: Asked): Promise<Seen | string> {
  return page.evaluate(async ({ url, ...init }) => {
    try {
      const response = await fetch(url, init)
      const { status, type } = response
      return { status, type, headers: Object.fromEntries(response.headers), body: await response.text() }
    } catch (error) {
      return `${error}`
    }
  }, asked)
}

async function readFrom(page: Page, asked: Asked): Promise<Seen> {
  const seen = await fetchFrom(page, asked)
  if (typeof seen === 'string') throw new Error(`${asked.method ?? 'GET'} ${asked.url}: ${seen}`)
  return seen
}

const key = { Authorization: 'Bearer demo-free' }
const jsonAndKey = { ...key, 'Content-Type': 'application/json' }
const pets = ({ host }: TestServer) => `http://${host}/v1/pets`

describe('a page of localhost, on another port', () => {
  const limits = (limit: number, remaining: number) => ({
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    date: expect.stringMatching(/GMT$/),
  })

  test.for(['localhost', '127.0.0.1'])(
    '%s reads replies of every kind, and their headers',
    async (name, { open, skip, onTestFinished }) => {
      const page = await openPage({ skip, onTestFinished })
      const port = await servePage({ onTestFinished })
      const server = await open()
      const methods: string[] = []
      server.emulator.observe(({ call }) => methods.push(call.method))
      await page.goto(`http://${name}:${port}/`)

      const list = await readFrom(page, { url: `${pets(server)}?limit=2`, headers: key })
      expect(list).toMatchObject({ status: 200, type: 'cors', headers: limits(60, 59) })
      expect(list.headers.link).toMatch(/^<http:.*>; rel="next"$/)
      expect(JSON.parse(list.body).length).toBe(2)
      expect(methods).toEqual(['OPTIONS', 'GET'])

      const created = await readFrom(page, {
        url: pets(server),
        method: 'POST',
        headers: jsonAndKey,
        body: rex,
      })
      expect(created).toMatchObject({ status: 201, headers: { ...limits(60, 58), location: '/v1/pets/101' } })
      expect(methods.slice(-2)).toEqual(['OPTIONS', 'POST'])

      const unauthorized = await readFrom(page, { url: pets(server) })
      expect(unauthorized).toMatchObject({
        status: 401,
        headers: { ...limits(60, 59), 'www-authenticate': 'Bearer realm="pet-api"' },
      })
      expect(JSON.parse(unauthorized.body).code).toBe('missing_api_key')

      const missing = await readFrom(page, { url: `${pets(server)}/999`, headers: key })
      expect(missing).toMatchObject({
        status: 404,
        headers: { ...limits(60, 57), sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' },
      })

      for (let call = remainingOf(server); call > 0; call -= 1) {
        await server.ask(
          `GET /v1/pets HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer demo-free\r\n\r\n`,
        )
      }
      const refused = await readFrom(page, { url: pets(server), headers: key })
      expect(refused).toMatchObject({ status: 429, headers: { ...limits(60, 0), 'retry-after': '60' } })
      expect(JSON.parse(refused.body).code).toBe('rate_limit_exceeded')
    },
  )
})

describe('headers of tracing, of libraries and of pet-mock', () => {
  const headers = {
    ...key,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'X-Requested-With': 'XMLHttpRequest',
    'Cache-Control': 'no-cache',
    'X-Call-Site': 'pets.ts:7',
  }
  test.for([
    ['a page of localhost', 'localhost', undefined],
    ['a page of any origin', 'shop.example', '*'],
  ] as const)('%s may send them', async ([, name, cors], { open, skip, onTestFinished }) => {
    const page = await openPage({ skip, onTestFinished })
    const port = await servePage({ onTestFinished })
    const server = await open(cors && { cors })
    const sent: string[] = []
    server.emulator.observe(({ call }) => {
      if (call.method === 'GET') sent.push(...call.headers.map(text => text.toLowerCase()))
    })
    await page.goto(`http://${name}:${port}/`)
    const seen = await fetchFrom(page, { url: pets(server), headers })
    expect(seen).toMatchObject({ status: 200, type: 'cors' })
    expect(sent).toEqual(expect.arrayContaining(Object.keys(headers).map(header => header.toLowerCase())))
  })
})

describe('a page of a foreign origin', () => {
  test('cannot call with a key, read a reply or create a pet', async ({ open, skip, onTestFinished }) => {
    const page = await openPage({ skip, onTestFinished })
    const port = await servePage({ onTestFinished })
    const server = await open()
    await page.goto(`http://shop.example:${port}/`)
    const url = pets(server)
    for (const asked of [
      { url },
      { url, headers: key },
      { url, method: 'POST', headers: jsonAndKey, body: rex },
      { url, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: rex },
    ]) {
      expect(await fetchFrom(page, asked)).toBe('TypeError: Failed to fetch')
    }
    const opaque = await fetchFrom(page, { url, mode: 'no-cors' })
    expect(opaque).toEqual({ status: 0, type: 'opaque', headers: {}, body: '' })
    expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
  })

  test('can when its origin is listed', async ({ open, skip, onTestFinished }) => {
    const page = await openPage({ skip, onTestFinished })
    const port = await servePage({ onTestFinished })
    const server = await open({ cors: { loopback: true, listed: [`http://shop.example:${port}`] } })
    for (const name of ['shop.example', 'localhost']) {
      await page.goto(`http://${name}:${port}/`)
      const seen = await fetchFrom(page, { url: pets(server), headers: key })
      expect(seen).toMatchObject({ status: 200, type: 'cors' })
    }
  })

  test('cannot on this machine either, without loopback', async ({ open, skip, onTestFinished }) => {
    const page = await openPage({ skip, onTestFinished })
    const port = await servePage({ onTestFinished })
    const server = await open({ cors: { loopback: false, listed: [] } })
    await page.goto(`http://localhost:${port}/`)
    expect(await fetchFrom(page, { url: pets(server), headers: key })).toBe('TypeError: Failed to fetch')
  })
})

test('a page that points a name of its own at this machine gets 403 (DNS rebinding)', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const page = await openPage({ skip, onTestFinished })
  const server = await open()
  const origin = `http://evil.example:${server.port}`
  expect((await page.goto(`${origin}/v1/pets`))?.status()).toBe(403)
  for (const asked of [
    { url: '/v1/pets', headers: key },
    { url: '/v1/pets', method: 'POST', headers: jsonAndKey, body: rex },
    { url: '/', headers: {} },
  ]) {
    const seen = await readFrom(page, { ...asked, url: `${origin}${asked.url}` })
    expect([seen.status, seen.type, JSON.parse(seen.body).code]).toEqual([403, 'basic', 'host_not_allowed'])
  }
  expect([petCount(server), remainingOf(server)]).toEqual([100, 60])
})
