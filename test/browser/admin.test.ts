import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, servePage } from '../support/browser.ts'
import { petCount, type TestServer, serverTest as test } from '../support/raw-http.ts'
import { noon } from '../support/scenarios.ts'

/** Tries what a page can try from where it is: what it could read, and what went out at all. */
async function attack(page: Page, url: string): Promise<readonly string[]> {
  await page.evaluate(`navigator.sendBeacon(${JSON.stringify(`${url}/reset`)}, 'x')`)
  return await page.evaluate(async base => {
    const json = { 'Content-Type': 'application/json' }
    const tries: readonly RequestInit[] = [
      { method: 'POST' },
      { method: 'POST', mode: 'no-cors' },
      { method: 'POST', mode: 'no-cors', body: '{"by":"60s"}' },
      { method: 'POST', headers: json, body: '{"by":"60s"}' },
      { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ by: '60s' }) },
    ]
    const read: string[] = []
    for (const path of ['/reset', '/clock/advance', '/clock/freeze']) {
      for (const init of tries) {
        const text = await fetch(base + path, init).then(
          response => response.text(),
          () => '',
        )
        if (text !== '') read.push(`${path}: ${text}`)
      }
    }
    for (const [method, path] of [
      ['DELETE', '/keys/demo-free'],
      ['PUT', '/scenario'],
      ['GET', '/keys'],
    ] as const) {
      const text = await fetch(base + path, { method }).then(
        response => response.text(),
        () => '',
      )
      if (text !== '') read.push(`${path}: ${text}`)
    }
    return read
  }, url)
}

/** By a form, which needs no script and leads the page away; resolves with the status that it comes to. */
async function submitForm(page: Page, action: string): Promise<number> {
  await page.setContent(`<form method="POST" action="${action}"><button>Win a prize</button></form>`)
  const [response] = await Promise.all([
    page.waitForResponse(response => response.url() === action),
    page.locator('button').click(),
  ])
  return response.status()
}

function expectUntouched({ emulator, ...server }: TestServer): void {
  const { clock, keys, journal, scenario } = emulator.sandboxes.default
  expect([clock.at, clock.scale, keys.size, scenario.name]).toEqual([noon, 0, 4, 'test'])
  expect([...journal].filter(({ call }) => call.target.startsWith('/__admin'))).toEqual([])
  expect(petCount({ emulator, ...server })).toBe(101)
}

test.for(['shop.example', 'localhost', '127.0.0.1'])(
  'a page of http://%s, on another port, changes nothing and reads nothing',
  async (name, { open, skip, onTestFinished }) => {
    const page = await openPage({ skip, onTestFinished })
    const port = await servePage({ onTestFinished })
    const server = await open()
    server.emulator.sandboxes.default.pets.create({ name: 'Rex', categoryId: 1, status: undefined })
    await page.goto(`http://${name}:${port}/`)
    expect(await attack(page, `http://${server.host}/__admin`)).toEqual([])
    expect(await submitForm(page, `http://${server.host}/__admin/reset`)).toBe(403)
    expectUntouched(server)
  },
)

test('a page below /__admin reads the events', async ({ open, skip, onTestFinished }) => {
  const page = await openPage({ skip, onTestFinished })
  const empty = {
    bytes: Buffer.from('<!doctype html><title>A page</title>'),
    gzipped: undefined,
    tag: 'page',
  }
  const server = await open({ pages: async path => (path === 'index.html' ? empty : undefined) })
  await page.goto(`http://${server.host}/__admin/`)
  const first = await page.evaluate(async () => {
    const source = new EventSource('/__admin/events')
    return await new Promise<string>((resolve, reject) => {
      source.onmessage = ({ data }) => resolve(data)
      source.onerror = () => reject(new Error('no events'))
      setTimeout(() => reject(new Error('late')), 5_000)
    }).finally(() => source.close())
  })
  expect(JSON.parse(first)).toMatchObject({
    start: expect.any(String),
    newest: { default: expect.any(Number) },
  })
})

test('nor does a frame without an origin', async ({ open, skip, onTestFinished }) => {
  const page = await openPage({ skip, onTestFinished })
  const port = await servePage({ onTestFinished })
  const server = await open()
  server.emulator.sandboxes.default.pets.create({ name: 'Rex', categoryId: 1, status: undefined })
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.setContent('<iframe sandbox="allow-scripts" srcdoc="<title>null</title>"></iframe>')
  const frame = page.frames()[1]
  if (frame === undefined) throw new Error('There is no frame')
  const origin = await frame.evaluate('window.origin')
  expect(origin).toBe('null')
  const outcome = await frame.evaluate(async url => {
    const sent = await fetch(url, { method: 'POST', mode: 'no-cors' }).then(
      ({ type }) => type,
      () => 'failed',
    )
    return sent
  }, `http://${server.host}/__admin/reset`)
  expect(['opaque', 'failed']).toContain(outcome)
  expectUntouched(server)
})

test('a name that is pointed at this machine gets 403 (DNS rebinding)', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const page = await openPage({ skip, onTestFinished })
  const server = await open()
  server.emulator.sandboxes.default.pets.create({ name: 'Rex', categoryId: 1, status: undefined })
  const origin = `http://evil.example:${server.port}`
  expect((await page.goto(`${origin}/__admin/docs`))?.status()).toBe(403)
  for (const text of await attack(page, `${origin}/__admin`)) expect(text).toContain('host_not_allowed')
  expectUntouched(server)
})
