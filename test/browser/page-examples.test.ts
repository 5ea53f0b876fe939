import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { openPage as browser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { bundleForPages, servePage } from '../support/page-bundle.ts'
import { needPosix } from '../support/requirements.ts'
import { createRunnerProject } from '../support/runner-project.ts'
import { createReader } from '../support/tutorial.ts'

/* The examples of docs/browser.md for pages. test/package/library.test.ts runs the one for Node. */
needPosix('shell')
const page = readFileSync('docs/browser.md', 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
const [viteConfig = '', handlers = '', own = '', panel = ''] = blocks('ts')
const [script = ''] = blocks('html')
const [baseUrl = ''] = blocks('console').map(block => block.trim().replace(/^\$ /, ''))

test('the page has these blocks', () => {
  expect([blocks('ts').length, blocks('js').length, blocks('html').length]).toEqual([4, 1, 1])
  expect(baseUrl).toContain('--base-url')
})

test('Vite serves the API below the page, and the panel in it', async context => {
  const tab = await browser(context)
  const reader = await createReader()
  context.onTestFinished(reader.end)
  await reader.run(baseUrl)
  reader.save('vite.config.mjs', viteConfig)
  reader.save('app.js', panel)
  reader.save('index.html', `<script type="module" src="/app.js"></script>\n${script}`)
  const { default: config } = await import(pathToFileURL(join(reader.path, 'vite.config.mjs')).href)
  const port = await freePort()
  const vite = await createServer({
    root: reader.path,
    configFile: false,
    logLevel: 'silent',
    server: { ...config.server, host: '127.0.0.1', port },
  })
  context.onTestFinished(() => vite.close())
  await vite.listen()

  const init = { headers: { Authorization: 'Bearer demo-free' } }
  const response = await fetch(`http://127.0.0.1:${port}/api/pets?limit=1`, init)
  expect(response.status).toBe(200)
  // Vite's default port, as the page has it.
  expect(response.headers.get('Link')).toContain('<http://localhost:5173/api/pets?')

  await tab.goto(`http://127.0.0.1:${port}/`)
  await tab.locator('pet-mock-panel button.toggle').waitFor()
  expect(await tab.locator('pet-mock-panel').count()).toBe(1)
})

test('pet-mock runs in a page, with its dashboard', async context => {
  const tab = await browser(context)
  const project = createRunnerProject([])
  context.onTestFinished(project.remove)
  const file = join(project.path, 'app.ts')
  writeFileSync(file, own)
  const { origin, close } = await servePage(await bundleForPages(file))
  context.onTestFinished(close)
  await tab.goto(origin)
  await tab.frameLocator('iframe').getByRole('navigation').first().waitFor()
})

test('MSW answers in a page', async context => {
  const tab = await browser(context)
  const project = createRunnerProject(['msw'])
  context.onTestFinished(project.remove)
  const file = join(project.path, 'app.ts')
  const call = "fetch('/api/v1/pets?limit=2', { headers: { Authorization: 'Bearer demo-free' } })"
  writeFileSync(
    file,
    `${handlers}\ndocument.title = \`\${(await ${call}.then(it => it.json())).length} pets\``,
  )
  const { origin, close } = await servePage(await bundleForPages(file))
  context.onTestFinished(close)
  await tab.goto(origin)
  await expect.poll(() => tab.title()).toBe('2 pets')
})
