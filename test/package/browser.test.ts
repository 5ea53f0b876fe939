import { readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { type OutputChunk, rolldown } from 'rolldown'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import type { PetMock } from '../../src/library/testing/pet-mock.ts'
import { openPage as openBrowserPage } from '../support/browser.ts'
import { installPackage } from '../support/package.ts'
import { bundleForPages, servePage } from '../support/page-bundle.ts'

/* The package in a browser: packed, installed, bundled, and played through MSW's real service worker. */
const { app, remove } = installPackage()

afterAll(remove)

const program = `import { setupWorker } from 'msw/browser'
import { petMockHandlers } from 'pet-mock/msw'
const options = JSON.parse(new URLSearchParams(location.search).get('options'))
const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1', ...options })
globalThis.url = handlers.mock.url
globalThis.mock = handlers.mock
globalThis.ready = setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'bypass' })
`

describe('a bundle for browsers', () => {
  async function bundle(): Promise<readonly OutputChunk[]> {
    const input = join(app, 'handlers.js')
    writeFileSync(input, "export { petMockHandlers } from 'pet-mock/msw'\n")
    const bundling = await rolldown({ input, platform: 'browser', external: /^(?:msw|node:)/ })
    const { output } = await bundling.generate({ format: 'esm', minify: true })
    await bundling.close()
    return output.filter(chunk => chunk.type === 'chunk')
  }

  it('is at most 72 kB for shipped scenarios, gzipped and without MSW', async () => {
    const chunks = new Map((await bundle()).map(chunk => [chunk.fileName, chunk]))
    const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
    const loaded = new Set(entry && [entry])
    for (const { imports } of loaded)
      for (const name of imports) {
        const chunk = chunks.get(name)
        if (chunk !== undefined) loaded.add(chunk)
      }
    const bytes = [...loaded].reduce((sum, { code }) => sum + gzipSync(code).length, 0)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(72_000)
  })

  it('imports nothing but MSW', async () => {
    const chunks = await bundle()
    const own = new Set(chunks.map(({ fileName }) => fileName))
    const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    expect(imported.filter(name => !own.has(name))).toEqual(['msw'])
    const requires = chunks.flatMap(({ code }) => [...code.matchAll(/\brequire\(["'`]([^"'`]+)/g)])
    expect(requires.filter(([, name = '']) => builtinModules.includes(name.replace(/^node:/, '')))).toEqual(
      [],
    )
  })

  it('needs no Node of a page that has no bundler either', () => {
    const dist = join(app, 'node_modules/pet-mock/dist')
    const reached = new Set([join(dist, 'msw.js')])
    const foreign = new Set<string>()
    for (const path of reached) {
      for (const from of importsOf(readFileSync(path, 'utf8'))) {
        if (from.startsWith('.')) reached.add(join(dirname(path), from))
        else foreign.add(from)
      }
    }
    expect(reached.size).toBeGreaterThan(10)
    expect([...foreign]).toEqual(['msw'])
  })
})

/** What a module of the bundle imports, at once or later. */
function importsOf(text: string): readonly string[] {
  const imports = text.matchAll(/(?:\bfrom|\bimport\(?)\s*["'`]([\w@./:-]+)["'`]/g)
  return [...imports].map(([, from = '']) => from)
}

interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Calls the API from the page, under `https://api.example.com`, where nobody answers but the worker. */
async function call(
  page: Page,
  path: string,
  init: { method?: string; body?: string; key?: string | null } = {},
) {
  return await page.evaluate(
    async ({ path, key = 'demo-free', ...init }): Promise<Seen> => {
      const { url } = globalThis as unknown as { url: string }
      const headers = {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(init.body !== undefined && { 'Content-Type': 'application/json' }),
      }
      const response = await fetch(path.startsWith('/') ? `${url}${path}` : path, { ...init, headers })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      }
    },
    { path, ...init },
  )
}

let bundled: Promise<string> | undefined

describe('a page with MSW’s service worker', () => {
  async function open(context: TestContext, options: object = {}): Promise<Page> {
    const page = await openBrowserPage(context)
    const input = join(app, 'page.js')
    writeFileSync(input, program)
    bundled ??= bundleForPages(input)
    const server = await servePage(await bundled)
    context.onTestFinished(server.close)
    await load(page, `${server.origin}/?options=${encodeURIComponent(JSON.stringify(options))}`)
    return page
  }

  async function load(page: Page, address: string): Promise<void> {
    if (page.url() === address) await page.reload()
    else await page.goto(address)
    await page.evaluate(async () => {
      await (globalThis as unknown as { ready: Promise<unknown> }).ready
    })
  }

  it('lists and creates', async context => {
    const page = await open(context)
    const first = await call(page, '/pets?limit=60&status=available')
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '59',
        'content-type': 'application/json',
      },
    })
    const body = '{"name":"Rex","categoryId":9223372036854775807}'
    const rex = await call(page, '/pets', { method: 'POST', body })
    expect([rex.status, rex.headers.location, rex.body]).toEqual([
      201,
      '/v1/pets/101',
      '{"id":101,"name":"Rex","categoryId":9223372036854775807}',
    ])
    expect((await call(page, '/pets', { key: null })).status).toBe(401)
  })

  it('pages through all pets by Link', async context => {
    const page = await open(context)
    let count = 0
    for (let at = '/pets?limit=30'; at !== ''; ) {
      const { body, headers } = await call(page, at)
      count += JSON.parse(body).length
      at = /<(.*)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? ''
    }
    expect(count).toBe(100)
  })

  it('is limited, and banned when it does not stop', async context => {
    const page = await open(context, { scenario: 'rate-limit-exhaustion' })
    const seen: (readonly [number, string, string])[] = []
    for (let calls = 0; calls < 13; calls += 1) {
      const { status, headers, body } = await call(page, '/pets?limit=1')
      seen.push([status, headers['retry-after'] ?? '', JSON.parse(body).code ?? ''])
    }
    expect(seen.slice(0, 4)).toEqual([
      ...Array.from({ length: 3 }, () => [200, '', '']),
      [429, expect.stringMatching(/^(?:59|60)$/), 'rate_limit_exceeded'],
    ])
    expect(seen.at(-1)).toEqual([429, expect.stringMatching(/^(?:300|299)$/), 'api_key_banned'])
  })

  it('lets its page move the clock', async context => {
    const page = await open(context, { scenario: 'ban' })
    expect((await call(page, '/pets?limit=1')).status).toBe(429)
    await page.evaluate(async () => {
      await (globalThis as unknown as { mock: Pick<PetMock, 'clock'> }).mock.clock.advance('10m')
    })
    expect((await call(page, '/pets?limit=1')).status).toBe(200)
  })

  it.for(['reset', 'empty', 'truncate', 'malformed', 'hang', 'slow'] as const)(
    'meets the fault %s',
    async (fault, context) => {
      const page = await open(context, { scenario: { rules: [{ then: { fault } }] } })
      const outcome = await page.evaluate(
        async patienceMs => {
          const { url } = globalThis as unknown as { url: string }
          try {
            const headers = { Authorization: 'Bearer demo-free' }
            const response = await fetch(`${url}/pets`, { headers, signal: AbortSignal.timeout(patienceMs) })
            try {
              return `${response.status}, ${JSON.parse(await response.text()).length} pets`
            } catch (error) {
              return `${response.status}, then ${(error as Error).name}`
            }
          } catch (error) {
            return (error as Error).name
          }
        },
        fault === 'hang' ? 1_000 : 60_000,
      )
      const expected = {
        reset: 'TypeError',
        empty: 'TypeError',
        truncate: '200, then TypeError',
        malformed: '200, then SyntaxError',
        hang: 'TimeoutError',
        slow: '200, 20 pets',
      }
      expect(outcome).toBe(expected[fault])
    },
  )

  it('persist: everything goes on after a reload', async context => {
    const scenario = { keys: { 'demo-free': { plan: 'free', used: { minute: 50 } } }, bans: { after: 1 } }
    const page = await open(context, { persist: true, scenario })
    const key = 'demo-free+w1'
    await call(page, '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":9007199254740993}' })
    await call(page, '/pets', { method: 'POST', body: '{"name":"Ada","categoryId":1}', key })
    for (let calls = 0; calls < 10; calls += 1) await call(page, '/pets?limit=1')
    const before = await call(page, '/pets?limit=1')
    expect(JSON.parse(before.body).code).toBe('api_key_banned')
    await load(page, page.url())
    const after = await call(page, '/pets?limit=1')
    expect(JSON.parse(after.body).code).toBe('api_key_banned')
    expect(after.headers['x-ratelimit-reset']).toBe(before.headers['x-ratelimit-reset'])
    const rex = await call(page, '/pets/101', { key: 'demo-pro' })
    expect(rex.body).toBe('{"id":101,"name":"Rex","categoryId":9007199254740993}')
    const ada = await call(page, '/pets/101', { key })
    expect([JSON.parse(ada.body).name, ada.headers['x-ratelimit-remaining']]).toEqual(['Ada', '8'])
    // And once more: what was restored is kept as well.
    await load(page, page.url())
    expect(JSON.parse((await call(page, '/pets/101', { key: 'demo-pro' })).body).name).toBe('Rex')
  })

  it.for([
    ['without persist', { scenario: 'free-plan' }, { scenario: 'free-plan' }],
    [
      'with another scenario',
      { scenario: 'free-plan', persist: true },
      { scenario: 'business-plan', persist: true },
    ],
  ] as const)('%s, the next page starts anew', async ([_when, options, next], context) => {
    const page = await open(context, options)
    await call(page, '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' })
    expect((await call(page, '/pets/101')).status).toBe(200)
    await load(page, `${new URL(page.url()).origin}/?options=${encodeURIComponent(JSON.stringify(next))}`)
    expect((await call(page, '/pets/101')).status).toBe(404)
  })
})
