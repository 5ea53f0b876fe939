import nodeHttp from 'node:http'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ThenFields } from '../../../src/control/scenario/file.ts'
import { type PetMockHandlersOptions, petMockHandlers } from '../../../src/library/msw/entry.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const key = { Authorization: 'Bearer demo-free' }
const json = { ...key, 'Content-Type': 'application/json' }
const rex = '{"name":"Rex","categoryId":1}'

function use(options: Partial<PetMockHandlersOptions> = {}) {
  const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1', ...options })
  server.use(...handlers)
  return handlers.mock
}

describe('handlers for MSW', () => {
  describe('the base URL', () => {
    it.each([
      ['https://api.example.com/v1', 'https://api.example.com/v1', ''],
      ['https://api.example.com/v1/', 'https://api.example.com/v1', ''],
      ['HTTPS://API.example.com:443/v1', 'https://api.example.com/v1', ''],
      ['http://localhost:7387/v1', 'http://localhost:7387/v1', ''],
      [
        'https://example.com/pets.(service)+/v1',
        'https://example.com/pets.(service)+/v1',
        '/pets.(service)+',
      ],
      ['https://[::1]:8080/a/v1/v1', 'https://[::1]:8080/a/v1/v1', '/a/v1'],
    ])('%s: calls are answered, and links lead back', async (baseUrl, url, prefix) => {
      const mock = use({ baseUrl })
      expect(mock.url).toBe(url)
      const first = await fetch(`${url}/pets?limit=2`, { headers: key })
      const [, next = ''] = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
      expect(next.slice(0, next.indexOf('?'))).toBe(`${url}/pets`)
      expect(await (await fetch(next, { headers: key })).json()).toMatchObject([{ id: 3 }, { id: 4 }])
      const created = await fetch(`${url}/pets`, { method: 'POST', headers: json, body: rex })
      expect(created.headers.get('location')).toBe(`${prefix}/v1/pets/101`)
      const found = await fetch(new URL(created.headers.get('location') ?? '', url), { headers: key })
      expect(found.status).toBe(200)
      expect(found.headers.get('link')).toBe(`<${url}/pets>; rel="successor-version"`)
      expect((await fetch(url, { headers: key })).status).toBe(404)
    })

    it.each([
      ['/v1', 'baseUrl: expected an absolute URL such as \'https://api.example.com/v1\', found "/v1"'],
      ['api.example.com/v1', 'baseUrl: expected an absolute URL'],
      ['ftp://api.example.com/v1', 'expected an http or https URL without a query or a fragment'],
      ['https://api.example.com/v1?x=1', 'expected an http or https URL without a query or a fragment'],
      [
        'https://api.example.com',
        'baseUrl: expected a URL that ends in /v1, such as "https://api.example.com/v1", found "https://api.example.com"',
      ],
      ['https://api.example.com/v10', 'such as "https://api.example.com/v10/v1"'],
    ])('%s is refused: %s', (baseUrl, message) => {
      expect(() => petMockHandlers({ baseUrl })).toThrow(message)
    })

    it.each([
      'https://api.example.com/v1x',
      'https://api.example.com/',
      'http://api.example.com/v1/pets',
      'https://other.example.com/v1/pets',
    ])('%s is left to other handlers', async url => {
      use()
      server.use(http.get(url, () => HttpResponse.text('mine')))
      expect(await (await fetch(url)).text()).toBe('mine')
    })
  })

  it('other handlers can go before', async () => {
    const mock = use()
    server.use(http.get(`${mock.url}/pets`, () => HttpResponse.json([]), { once: true }))
    expect(await (await fetch(`${mock.url}/pets`, { headers: key })).json()).toEqual([])
    expect(await (await fetch(`${mock.url}/pets`, { headers: key })).json()).toHaveLength(20)
  })

  it('are changed by the mock that they are of', async () => {
    const mock = use({ scenario: 'rate-limit-exhaustion' })
    const status = async () => (await fetch(`${mock.url}/pets`, { headers: key })).status
    expect([await status(), await status(), await status(), await status()]).toEqual([200, 200, 200, 429])
    await mock.clock.advance('60s')
    expect(await status()).toBe(200)
    expect(await mock.requests.count()).toBe(5)
    await expect(mock.scenario.use('mine.yaml')).rejects.toThrow(
      'mine.yaml is a file, which a page cannot read',
    )
  })

  it('says what is wrong with the scenario', () => {
    const scenario = 'bann' as 'ban'
    expect(() => petMockHandlers({ baseUrl: 'https://a.example/v1', scenario })).toThrow('did you mean ban?')
  })

  it('a signal gives a call up that hangs', async () => {
    const mock = use({ scenario: { rules: [{ then: { fault: 'hang' } }] } })
    const giveUp = new AbortController()
    const printed = vi.spyOn(console, 'error')
    const call = fetch(`${mock.url}/pets`, { headers: key, signal: giveUp.signal })
    setTimeout(() => giveUp.abort(new Error('enough')), 5)
    await expect(call).rejects.toThrow('enough')
    await new Promise(resolve => setImmediate(resolve))
    expect(printed).not.toHaveBeenCalled()
  })

  /** What node's own client makes of a reply: the way of axios, got and others. */
  function get(
    url: string,
    headers: Record<string, string>,
    method = 'GET',
  ): Promise<[number, string, string]> {
    return new Promise((resolve, reject) => {
      const request = nodeHttp.request(url, { headers, method }, response => {
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('error', reject).on('aborted', () => reject(new Error('aborted')))
        response.on('end', () =>
          resolve([response.statusCode ?? 0, `${response.headers['x-ratelimit-remaining']}`, text]),
        )
      })
      request.on('error', reject).end()
    })
  }

  describe('clients of node:http', () => {
    it('are answered as clients of fetch are', async () => {
      const { url } = use({ baseUrl: 'http://api.example.com/v1' })
      const [status, remaining, text] = await get(`${url}/pets?limit=1`, key)
      expect([status, remaining, JSON.parse(text)]).toMatchObject([200, '59', [{ id: 1 }]])
      expect(await get(`${url}/pets`, key, 'HEAD')).toEqual([200, '58', ''])
      expect((await get(`${url}/pets`, {}))[0]).toBe(401)
    })

    it.each<[ThenFields, RegExp]>([
      [{ fault: 'reset' }, /Network|Failed to fetch|hang up|ECONNRESET/],
      [{ fault: 'truncate' }, /aborted|terminated/],
    ])('fail on %j', async (then, message) => {
      const { url } = use({ baseUrl: 'http://api.example.com/v1', scenario: { rules: [{ then }] } })
      await expect(get(`${url}/pets`, key)).rejects.toThrow(message)
    })
  })
})
