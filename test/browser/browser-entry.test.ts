import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { expect, it, type TestContext } from 'vitest'
import { openPage as browser } from '../support/browser.ts'

/* `pet-mock/browser` as a bundler serves it: from files, with no pet-mock server anywhere. */
const entry = fileURLToPath(new URL('../../dist/browser.js', import.meta.url))

const html = `<!doctype html><link rel="icon" href="data:,"><title>A page</title><div id="dashboard" style="height: 700px"></div>
<script type="module">
import { createPetMock } from '/entry.js'
globalThis.mock = createPetMock({ scenario: 'free-plan' })
</script>`

/** The files that a bundler makes of the entry. */
const files = bundle()

async function bundle(): Promise<ReadonlyMap<string, string>> {
  const bundling = await rolldown({
    input: { entry },
    platform: 'browser',
    preserveEntrySignatures: 'strict',
  })
  const { output } = await bundling.generate({ format: 'esm', minify: true })
  await bundling.close()
  return new Map(output.flatMap(file => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : [])))
}

/** Opens a page with a mock. `loaded`: the bytes of each file that it has asked for, gzipped. */
async function openPage(context: TestContext) {
  const page = await browser(context)
  const loaded = new Map<string, number>()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  const texts = await files
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (path === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)
    const text = texts.get(path) ?? ''
    loaded.set(path, gzipSync(text).length)
    return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(text)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  context.onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  await page.waitForFunction('globalThis.mock')
  const size = () => [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0)
  return { page, size, loaded, errors }
}

const list = (page: Page) =>
  page.evaluate(`mock.fetch(mock.url + '/pets?limit=1', { headers: { Authorization: 'Bearer ' + mock.key } })
    .then(response => [response.status, response.headers.get('X-RateLimit-Remaining')])`)

it('answers in at most 75 kB, and moves the clock', async context => {
  const { page, size } = await openPage(context)
  expect(await list(page)).toEqual([200, '59'])
  expect(size()).toBeLessThanOrEqual(75_000)
  await page.evaluate("mock.clock.advance('1m')")
  expect(await list(page)).toEqual([200, '59'])
  expect(await page.evaluate('mock.requests.count()')).toBe(2)
})

it('shows the dashboard in at most 300 kB, with each call as it comes', async context => {
  const { page, size, errors } = await openPage(context)
  await page.evaluate(
    "mock.connectDashboard(document.getElementById('dashboard')).then(shown => globalThis.shown = shown)",
  )
  const dashboard = page.frameLocator('iframe')
  await dashboard.getByRole('link', { name: 'Requests' }).click()
  await list(page)
  await dashboard.getByText('/v1/pets?limit=1').first().waitFor()
  for (const part of ['Keys', 'Pets', 'Flight', 'Findings', 'Sandboxes', 'Situation', 'Rules', 'Docs']) {
    await dashboard.getByRole('link', { name: part }).click()
    await dashboard.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const before = Number(await page.evaluate('mock.clock.now().then(Number)'))
  await dashboard.getByRole('button', { name: '+1 min' }).click()
  await expect.poll(() => page.evaluate('mock.clock.now().then(Number)')).toBeGreaterThan(before + 59_000)
  expect(size()).toBeLessThanOrEqual(300_000)
  expect(errors).toEqual([])
  expect(page.url()).not.toContain('#')
  await page.evaluate('shown.remove()')
  expect(await page.locator('iframe').count()).toBe(0)
})
