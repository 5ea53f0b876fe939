import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { requireOrSkip } from '../support/requirements.ts'
import { createRunnerProject } from '../support/runner-project.ts'

/* Each block of docs/testing.md and docs/library.md is a file, named in its first line, and is run here as it stands there. */
const page = ['testing', 'library'].map(name => readFileSync(`docs/${name}.md`, 'utf8')).join('\n')
/** Blocks of one section belong together. The runners that are no modules by default have a folder each. */
const folders: Readonly<Record<string, string>> = { Jest: 'jest/', Mocha: 'mocha/' }
const blocks = page.split(/^## /m).flatMap(section => {
  const folder = folders[/^.*/.exec(section)?.[0] ?? ''] ?? ''
  return [...section.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
    name: folder + name,
    text,
  }))
})
const named = (suffix: RegExp) => blocks.filter(({ name }) => suffix.test(name))
const programs = named(/^[^/.]*\.[cm]js$/)
const project = createRunnerProject([
  ...['vitest', '@playwright/test', 'playwright', 'playwright-core', 'jest', 'mocha'],
])
const chromium = findChromium()
afterAll(project.remove)

const html = `<!doctype html><p id="shown"></p><script>
  fetch(new URLSearchParams(location.search).get('api') + '/pets', { headers: { Authorization: 'Bearer demo-free' } })
    .then(async response => shown.textContent = response.ok ? (await response.json()).length + ' pets' : 'status ' + response.status)
</script>`

project.write({
  ...Object.fromEntries(blocks.map(({ name, text }) => [name, text])),
  ...Object.fromEntries(Object.values(folders).map(folder => [`${folder}package.json`, '{}'])),
  'vitest.run.js': `
    import config from './vitest.config.mjs'
    export default { test: { ...config.test, include: ['*.test.js'], testTimeout: 120_000 } }`,
  'playwright.run.js': `
    import { createServer } from 'node:http'
    import config from './playwright.config.js'
    const html = ${JSON.stringify(html)}
    if (process.env.APP_URL === undefined) {
      const app = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(html))
      await new Promise(resolve => app.listen(0, '127.0.0.1', resolve))
      app.unref()
      process.env.APP_URL = 'http://127.0.0.1:' + app.address().port
    }
    export default {
      ...config,
      testMatch: '*.spec.js',
      timeout: 120_000,
      expect: { timeout: 60_000 },
      reporter: 'line',
      use: { baseURL: process.env.APP_URL, launchOptions: { executablePath: '${chromium}', args: ['--no-sandbox'] } },
    }`,
})

it('names a file in the first line of each block', () => {
  expect(blocks).toHaveLength(page.match(/^```js$/gm)?.length ?? 0)
  const counts = [programs, named(/^[^/]*\.test\.js$/), named(/^[^/]*\.spec\.js$/)].map(
    ({ length }) => length,
  )
  expect(counts).toEqual([7, 2, 1])
  expect(named(/^(?:jest|mocha)\/|^[^/]*\.test\.mjs$/)).toHaveLength(4)
})

it.each(programs)('$name', async ({ name, text }) => {
  const [, printed] = /console\.log\(.*\/\/ (.*)$/m.exec(text) ?? []
  expect(await project.run(`../${name}`, [])).toEqual({ code: 0, output: `${printed}\n` })
})

it('*.test.js, by vitest.config.mjs', async () => {
  const { code, output } = await project.run('vitest/vitest.mjs', ['run', '--config', 'vitest.run.js'])
  expect(output).toMatch(/Tests {2}3 passed/)
  expect(code).toBe(0)
})

it('Jest', async () => {
  const { code, output } = await project.runIn('jest', 'jest/bin/jest.js', [])
  expect(output).toMatch(/Tests: +1 passed/)
  expect(code).toBe(0)
})

it('Mocha', async () => {
  const { code, output } = await project.runIn('mocha', 'mocha/bin/mocha.js', [])
  expect(output).toMatch(/1 passing/)
  expect(code).toBe(0)
})

it('node:test', async () => {
  const { code, output } = await project.run('../pets.test.mjs', [])
  expect(output).toMatch(/# pass 1|pass 1/)
  expect(code).toBe(0)
})

it('*.spec.js, by playwright.config.js', { timeout: 120_000 }, async context => {
  requireOrSkip(context, 'Chromium', chromium)
  const { code, output } = await project.run('@playwright/test/cli.js', [
    'test',
    '--config',
    'playwright.run.js',
  ])
  expect(output).toMatch(/2 passed/)
  expect(code).toBe(0)
})
