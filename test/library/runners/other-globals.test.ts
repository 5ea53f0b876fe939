import { afterAll, expect, it } from 'vitest'
import { createRunnerProject } from '../../support/runner-project.ts'

/* Runners replace globals: by those of a DOM, by mocks, by fake timers. The library's own calls do not use them. */
const project = createRunnerProject(['vitest', 'happy-dom', 'jsdom', 'msw'])
afterAll(project.remove)

const clientTest = `
import { expect, vi } from 'vitest'
import { test } from 'pet-mock/vitest'
const list = async ({ url, key }) =>
  (await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })).status
test('a page calls the API', async ({ petMock }) => {
  expect(typeof document).toBe('object')
  expect(await list(petMock)).toBe(200)
  await petMock.keys.ban(petMock.key, { for: '90s' })
  expect(await list(petMock)).toBe(429)
  await petMock.clock.advance('90s')
  expect(await petMock.requests.count()).toBe(2)
})
test('its fetch is a mock', async ({ petMock }) => {
  vi.stubGlobal('fetch', () => { throw new Error('not in this test') })
  expect(await petMock.pets.list()).toHaveLength(100)
  vi.unstubAllGlobals()
})
test('its timers are fake', async ({ petMock }) => {
  vi.useFakeTimers()
  expect(await petMock.pets.list()).toHaveLength(100)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
`

project.write({
  ...Object.fromEntries(
    ['happy-dom', 'jsdom'].flatMap(environment => [
      [`${environment}.config.js`, config(environment, `globalSetup: 'pet-mock/global-setup'`)],
      [`${environment}-own.config.js`, config(environment, '')],
    ]),
  ),
  'page/page.test.js': clientTest,
  'msw/msw.test.js': `
    import { setupServer } from 'msw/node'
    import { http, HttpResponse } from 'msw'
    import { afterAll, beforeAll, expect } from 'vitest'
    import { test } from 'pet-mock/vitest'
    const server = setupServer(http.all('*', () => HttpResponse.json({ code: 'mocked' }, { status: 418 })))
    beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
    afterAll(() => server.close())
    test('MSW has every request but those of pet-mock', async ({ petMock }) => {
      expect((await fetch(petMock.url + '/pets')).status).toBe(418)
      expect(await petMock.pets.list()).toHaveLength(100)
    })`,
})

function config(environment: string, more: string): string {
  return `export default { test: { environment: '${environment}', testTimeout: 60_000, ${more} } }`
}

const vitest = (configFile: string, folder: string) =>
  project.run('vitest/vitest.mjs', ['run', '--config', configFile, '--reporter', 'default', folder])

it.each(['happy-dom', 'jsdom'])('%s, with a global setup', async environment => {
  const { code, output } = await vitest(`${environment}.config.js`, 'page/')
  expect(output).toMatch(/Tests {2}3 passed/)
  expect(code).toBe(0)
})

it.each(['happy-dom', 'jsdom'])('%s, below "pet-mock exec"', async environment => {
  const { code, output } = await project.run('pet-mock/dist/pet-mock.cjs', [
    ...['exec', '--', process.execPath, 'node_modules/vitest/vitest.mjs', 'run'],
    ...['--config', `${environment}-own.config.js`, 'page/'],
  ])
  expect(output).toMatch(/Tests {2}3 passed/)
  expect(code).toBe(0)
})

it.each(['happy-dom', 'jsdom'])('%s, with a server in the worker', async environment => {
  const { code, output } = await vitest(`${environment}-own.config.js`, 'page/')
  expect(output).toMatch(/Tests {2}3 passed/)
  expect(code).toBe(0)
})

it('MSW that catches everything', async () => {
  const { code, output } = await vitest('happy-dom.config.js', 'msw/')
  expect(output).toMatch(/Tests {2}1 passed/)
  expect(code).toBe(0)
})
