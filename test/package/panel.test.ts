import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { openPage } from '../support/browser.ts'
import { installPackage } from '../support/package.ts'
import { bundleForPages, servePage } from '../support/page-bundle.ts'

/* `pet-mock/panel` as the package has it: its size, and the panel of an emulator in the page. */
const { app, remove } = installPackage()
const dist = join(app, 'node_modules/pet-mock/dist')

afterAll(remove)

/** The pages of the dashboard are compressed. */
function read(file: string): Buffer {
  const path = join(dist, file)
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`))
}

const sizeOf = (...files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0)

it('takes less than 25 kB, gzipped, in a frame and in the page', () => {
  const page = `${read('dashboard/panel.html')}`
  const assets = [...page.matchAll(/(?:href|src)="\.\/(assets\/[^"]+)"/g)].map(
    ([, path]) => `dashboard/${path}`,
  )
  expect(assets.length).toBeGreaterThan(2)
  expect(sizeOf('dashboard/panel.html', 'dashboard/panel.js', ...assets)).toBeLessThan(25_000)
  const near = readdirSync(join(dist, 'panel')).map(file => `panel/${file}`)
  expect(sizeOf('panel.js', ...near)).toBeLessThan(25_000)
})

it('is one script for pages of other origins, which loads nothing', () => {
  const text = `${read('dashboard/panel.js')}`
  expect(text).not.toMatch(/\bimport\s*[("'{*\w]|\bfrom\s*["']/)
})

const program = `import { setupWorker } from 'msw/browser'
import { petMockHandlers } from 'pet-mock/msw'
import 'pet-mock/panel'
const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1' })
globalThis.url = handlers.mock.url
globalThis.ready = setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'bypass' })
`

it('shows the emulator of pet-mock/msw in the page, without a frame or a server', async context => {
  const page = await openPage(context)
  const input = join(app, 'page.js')
  writeFileSync(input, program)
  const server = await servePage(await bundleForPages(input))
  context.onTestFinished(server.close)
  const hosts = new Set<string>()
  const wrong: string[] = []
  page.on('request', request => hosts.add(new URL(request.url()).host))
  page.on('pageerror', error => wrong.push(String(error)))
  page.setDefaultTimeout(10_000)
  await page.goto(server.origin)
  await page.evaluate('ready')
  const call = (path: string) =>
    page.evaluate(`fetch(url + ${JSON.stringify(path)}, { headers: { Authorization: 'Bearer demo-free' } })
      .then(({ status }) => status)`)
  expect(await call('/pets?limit=1')).toBe(200)
  await page.getByRole('button', { name: 'pet-mock' }).click()
  await page.getByText('59 of 60 left this minute').waitFor()
  expect(await call('/pets/%3Cimg%20src=x%3E')).toBe(404)
  await page.getByText('58 of 60 left this minute').waitFor()
  await page.locator('pet-mock-panel summary').first().click()
  await page.locator('pet-mock-panel details[open] p').first().waitFor()
  await page.getByRole('button', { name: '+1 min' }).click()
  await page.getByText('60 of 60 left this minute').waitFor()
  await page.getByLabel('Scenario').selectOption('ban')
  await page.getByText('9 of 10 strikes').waitFor()
  expect(await page.locator('iframe, pet-mock-panel img').count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(await page.getByText('9 of 10 strikes').count()).toBe(0)
  expect([...hosts].filter(host => !host.startsWith('localhost:')).sort()).toEqual(['api.example.com'])
  expect(wrong).toEqual([])
})

it('says that no server answers', async context => {
  const page = await openPage(context)
  const input = join(app, 'no-server.js')
  writeFileSync(
    input,
    "import { mountPanel } from 'pet-mock/panel'\nmountPanel({ url: 'http://127.0.0.1:9/v1/' })\n",
  )
  const server = await servePage(await bundleForPages(input))
  context.onTestFinished(server.close)
  await page.goto(server.origin)
  await page.getByRole('button', { name: 'pet-mock' }).click()
  await page.getByText('No pet-mock answers at http://127.0.0.1:9/__admin/.').waitFor()
  expect(await page.locator('pet-mock-panel').count()).toBe(1)
})
