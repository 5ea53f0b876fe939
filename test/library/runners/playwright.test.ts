import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findChromium } from '../../support/browser.ts'
import { replayBox } from '../../support/replay-box.ts'
import { requireOrSkip } from '../../support/requirements.ts'
import { createRunnerProject } from '../../support/runner-project.ts'

/* Playwright as users run it, with a real browser: a page that knows nothing of sandboxes, and tests in parallel. */
const project = createRunnerProject(['@playwright/test', 'playwright', 'playwright-core'])
const chromium = findChromium()
afterAll(project.remove)

/** The app under test: it was built with the key demo-free, and reads only where its API is. */
const app = `
import { createServer } from 'node:http'
const page = \`<!doctype html><title>Pets</title><h1>Pets</h1><p id="shown">…</p><script>
  const api = new URLSearchParams(location.search).get('api')
  const load = async () => {
    const response = await fetch(api + '/pets', { headers: { Authorization: 'Bearer demo-free' } })
    const left = response.headers.get('X-RateLimit-Remaining')
    shown.textContent = response.ok ? (await response.json()).length + ' pets, ' + left + ' left' : 'status ' + response.status
  }
  load()
</script>\`
createServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)).listen(process.env.APP_PORT ?? 0, '127.0.0.1', function () {
  process.stdout.write('app at ' + this.address().port + '\\n')
})
`

project.write({
  'app.mjs': app,
  'playwright.config.js': `
    export default {
      testDir: 'e2e',
      globalSetup: 'pet-mock/global-setup',
      fullyParallel: true,
      workers: 2,
      timeout: 120_000,
      expect: { timeout: 60_000 },
      reporter: 'line',
      use: { launchOptions: { executablePath: '${chromium}', args: ['--no-sandbox'] } },
    }`,
  'e2e/fixtures.js': `
    import { spawn } from 'node:child_process'
    import { test as base } from 'pet-mock/playwright'
    export { expect } from 'pet-mock/playwright'
    export const test = base.extend({
      app: [async ({}, use) => {
        const child = spawn(process.execPath, ['app.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
        const port = await new Promise(resolve => child.stdout.once('data', line => resolve(/\\d+/.exec(line)[0])))
        await use('http://127.0.0.1:' + port)
        child.kill()
      }, { scope: 'worker' }],
    })`,
  'e2e/pets.spec.js': `
    import { expect, test } from './fixtures.js'
    const open = (page, app, petMock) => page.goto(app + '/?api=' + encodeURIComponent(petMock.url))
    for (const run of [1, 2, 3]) {
      test('a page is in the sandbox of its test ' + run, async ({ app, page, petMock }) => {
        await petMock.pets.delete(1)
        await open(page, app, petMock)
        await expect(page.locator('#shown')).toHaveText('20 pets, 59 left')
        await petMock.keys.ban(petMock.key, { for: '30s' })
        await page.reload()
        await expect(page.locator('#shown')).toHaveText('status 429')
        await petMock.clock.advance('30s')
        await page.reload()
        await expect(page.locator('#shown')).toHaveText('20 pets, 58 left')
        expect(await petMock.requests.count({ operation: 'listPets' })).toBe(3)
      })
    }
    test('so is what the test itself asks', async ({ request, petMock }) => {
      const response = await request.get(petMock.url + '/pets')
      expect([response.status(), await petMock.requests.count()]).toEqual([200, 1])
    })
    test('so is what contexts of its own ask, unless they give a key', async ({ browser, playwright, petMock }) => {
      for (const context of [await browser.newContext(), await playwright.request.newContext()]) {
        const request = context.request ?? context
        for (const key of [undefined, 'demo-free', petMock.key])
          await request.get(petMock.url + '/pets', key && { headers: { Authorization: 'Bearer ' + key } })
        await (context.close ?? context.dispose).call(context)
      }
      expect(await petMock.requests.count()).toBe(4)
    })
    for (const run of [1, 2, 3, 4, 5, 6]) {
      test('so is what it asks with a key of its own ' + run, async ({ request: own, page, context, petMock }) => {
        // Two tests for each way to ask.
        const request = [own, page.request, context.request][run % 3]
        const asked = async (method, authorization) => {
          const response = await request[method](petMock.url + '/pets', { headers: { authorization }, data: method === 'post' ? { name: 'Rex', categoryId: 1 } : undefined })
          return response.status() + ' ' + response.headers()['x-ratelimit-limit'] + ' ' + response.headers()['x-ratelimit-remaining']
        }
        expect([
          await asked('get', 'Bearer demo-free'),
          await asked('post', 'Bearer demo-free'),
          await asked('fetch', 'Bearer demo-pro'),
          await asked('get', 'Bearer nobody'),
        ]).toEqual(['200 60 59', '201 60 58', '200 300 299', expect.stringMatching(/^401 /)])
        expect(await petMock.requests.count()).toBe(3)
      })
    }
    test.describe('banned', () => {
      test.use({ petMockScenario: 'ban' })
      test('starts from its scenario', async ({ app, page, petMock }) => {
        await open(page, app, petMock)
        await expect(page.locator('#shown')).toHaveText('status 429')
      })
    })
    test.describe('on its own', () => {
      test.use({ petMockAuthorization: false })
      test('a page sends the key that it was built with', async ({ app, page, petMock }) => {
        await open(page, app, petMock)
        await expect(page.locator('#shown')).toHaveText(/^20 pets/)
        expect(await petMock.requests.count()).toBe(0)
      })
    })`,
  'failing/failing.spec.js': `
    import { expect, test } from 'pet-mock/playwright'
    test('shows the list', async ({ request, petMock }) => {
      const response = await request.get(petMock.url + '/pets?limit=200')
      expect(response.status()).toBe(200)
    })
    test('one whose expected finding does not come', async ({ petMock }) => petMock.expectFinding('banned'))
    test('one whose expected finding comes', async ({ petMock, request }) => {
      await petMock.expectFinding('deprecated-operation')
      await request.get(petMock.url + '/pets/1')
    })`,
  'failing.config.js': `
    import config from './playwright.config.js'
    export default { ...config, testDir: 'failing' }`,
})

const playwright = (config: string) => project.run('@playwright/test/cli.js', ['test', '--config', config])

it('drives pages, each in the sandbox of its test', { timeout: 300_000 }, async context => {
  requireOrSkip(context, 'Chromium', chromium)
  const { code, output } = await playwright('playwright.config.js')
  expect(output).toMatch(/13 passed/)
  expect(code).toBe(0)
})

it('prints what a failing test asked, and misses expected findings', { timeout: 120_000 }, async () => {
  const { code, output } = await playwright('failing.config.js')
  expect(code).toBe(1)
  expect(output).toContain('pet-mock: requests of "shows the list" (1 request):')
  expect(output).toContain('Wrong limit: expected 100 (a whole number from 1 to 100), found 200.')
  expect(output).toMatch(/PetMockError: The expected finding banned in the sandbox \S+ did not come/)
  expect(output).toMatch(/2 failed[\s\S]*1 passed/)
  const [, file = ''] = /attachment #\d: run\.petbox \(application\/gzip\)[^\n]*\n\s*(\S+)/.exec(output) ?? []
  expect(await replayBox(readFileSync(join(project.path, file)))).toEqual([400])
})
