import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { replayBox } from '../../support/replay-box.ts'
import { createRunnerProject } from '../../support/runner-project.ts'

/* vitest as users run it: a project with the package installed, several files, several workers. */
const project = createRunnerProject(['vitest'])
afterAll(project.remove)

const vitest = (config: string, files: string, env?: Readonly<Record<string, string>>) =>
  project.run('vitest/vitest.mjs', ['run', '--config', config, '--reporter', 'default', files], env)

/** Twenty-five tests at once, each with a quota, ids and a clock of its own. */
const crowd = `
import { expect } from 'vitest'
import { test } from 'pet-mock/vitest'
import { appendFileSync } from 'node:fs'

test.concurrent.for(Array.from({ length: 25 }, (_, index) => index))('client %i', async (_index, { petMock }) => {
  const { url, key, keys, clock, pets, requests } = petMock
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
  appendFileSync('urls.txt', url + '\\n')
  const list = () => fetch(url + '/pets?limit=1', { headers })
  await clock.freeze()
  await keys.change(key, { used: { minute: 57 } })
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await list()).status))
  expect([statuses.filter(status => status === 200).length, statuses.filter(status => status === 429).length]).toEqual([3, 2])
  await clock.advance('60s')
  expect((await list()).headers.get('x-ratelimit-remaining')).toBe('59')
  const rex = await fetch(url + '/pets', { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
  expect((await rex.json()).id).toBe(101)
  expect([(await pets.list()).length, await requests.count()]).toEqual([101, 7])
})
`

const shared = `export default { test: { globalSetup: 'pet-mock/global-setup', maxWorkers: 8, testTimeout: 120_000 } }`

project.write({
  'shared.config.js': shared,
  'own.config.js': 'export default { test: { testTimeout: 120_000 } }',
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`crowd/${index}.test.js`, crowd])),
  'failing/failing.test.js': `
    import { expect } from 'vitest'
    import { test } from 'pet-mock/vitest'
    test('shows the list', async ({ petMock }) => {
      const headers = { Authorization: 'Bearer ' + petMock.key }
      await fetch(petMock.url + '/pets?limit=2', { headers })
      const response = await fetch(petMock.url + '/pets?limit=200', { headers })
      expect(response.status).toBe(200)
    })
    test('asks with the key of somebody else', async ({ petMock }) => {
      await fetch(petMock.url + '/pets', { headers: { Authorization: 'Bearer demo-free' } })
      expect(petMock.key).toBe('demo-free')
    })
    test('is well', async ({ petMock }) => {
      await fetch(petMock.url + '/pets', { headers: { Authorization: 'Bearer ' + petMock.key } })
    })`,
  'scenarios/scenarios.test.js': `
    import { describe, expect } from 'vitest'
    import { test } from 'pet-mock/vitest'
    const status = async ({ url, key }) =>
      (await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })).status
    test('the usual one', async ({ petMock }) => expect(await status(petMock)).toBe(200))
    const banned = test.extend({ petMockScenario: 'ban' })
    banned('a shipped one', async ({ petMock }) => expect(await status(petMock)).toBe(429))
    const out = test.extend({ petMockScenario: { rules: [{ then: { status: 503 } }] } })
    out('one written as an object', async ({ petMock }) => expect(await status(petMock)).toBe(503))
    const file = test.extend({ petMockScenario: './scenarios/mine.yaml' })
    file('one from a file', async ({ petMock }) => expect(await petMock.pets.list()).toHaveLength(2))
    const keyed = test.extend({ petMockScenario: './scenarios/keyed.yaml' })
    keyed('one with a key of its own', async ({ petMock }) =>
      expect([await status(petMock), await status(petMock)]).toEqual([200, 429]))`,
  'scenarios/keyed.yaml': 'keys: { my-app: { plan: free, used: { minute: 59 } } }\nkey: my-app\n',
  'scenarios/mine.yaml': 'pets: { count: 2 }\n',
  'expected/expected.test.js': `
    import { expect } from 'vitest'
    import { test } from 'pet-mock/vitest'
    const banned = test.extend({ petMockScenario: { extends: 'rate-limit-exhaustion', bans: { after: 1 } } })
    const hasten = async ({ url, key }) => {
      for (let call = 1; call <= 4; call += 1) await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } })
    }
    banned('the screen for a ban', async ({ petMock }) => {
      await petMock.expectFinding('banned')
      await hasten(petMock)
    })
    if (process.env.MISSING) test('one without its ban', async ({ petMock }) => petMock.expectFinding('banned'))
    if (process.env.MISSING) test('one that fails before', async ({ petMock }) => {
      await petMock.expectFinding('early-retry')
      expect('its own reason').toBe('')
    })`,
  'env/env.test.js': `
    import { expect } from 'vitest'
    import { test } from 'pet-mock/vitest'
    test('is served from elsewhere', async ({ petMock }) => expect(petMock.url).toBe(process.env.EXPECTED_URL))`,
})

it('200 tests at once share one server, and see nothing of each other', { timeout: 120_000 }, async () => {
  const { code, output } = await vitest('shared.config.js', 'crowd/')
  expect(output).toMatch(/Tests {2}200 passed/)
  expect(code).toBe(0)
  const urls = readFileSync(join(project.path, 'urls.txt'), 'utf8')
  expect(new Set(urls.trim().split('\n')).size).toBe(1)
})

it('needs no configuration: each worker has a server of its own then', async () => {
  const { code, output } = await vitest('own.config.js', 'crowd/0.test.js')
  expect(output).toMatch(/Tests {2}25 passed/)
  expect(code).toBe(0)
})

it('prints what a failing test asked, and of no other', async () => {
  const { code, output } = await vitest('shared.config.js', 'failing/')
  expect(code).toBe(1)
  expect(output).toMatch(
    /pet-mock: requests of "shows the list" \(2 requests\):\n {2}#1 GET \/v1\/pets\?limit=2 -> 200 59 left/,
  )
  expect(output).toContain('#2 GET /v1/pets?limit=200 -> 400 invalid_parameter 58 left')
  expect(output).toContain('Wrong limit: expected 100 (a whole number from 1 to 100), found 200.')
  expect(output).toContain('pet-mock: "asks with the key of somebody else" sent no request with its own key.')
  expect(output).not.toContain('"is well"')
})

it('names the box of a failing test in its failure: the calls of its sandbox alone', async () => {
  const { output } = await vitest('shared.config.js', 'failing/')
  const [, file = ''] =
    /AssertionError[^❯]*pet-mock box open (\.pet-mock\/shows-the-list-[\w-]+\.petbox)/.exec(output) ?? []
  const statuses = await replayBox(readFileSync(join(project.path, file)))
  expect(statuses).toEqual([200, 400])
  expect(readFileSync(join(project.path, '.pet-mock/.gitignore'), 'utf8')).toBe('*\n')
  expect(output.match(/box open/g)).toHaveLength(2)
})

it('starts a test from the scenario that it names', async () => {
  const { code, output } = await vitest('shared.config.js', 'scenarios/')
  expect(output).toMatch(/Tests {2}5 passed/)
  expect(code).toBe(0)
})

it('takes the server that its environment names', async () => {
  await using server = await startPetMock()
  const env = { PET_MOCK_URL: server.url, PET_MOCK_KEY: server.key, EXPECTED_URL: server.url }
  const { code } = await vitest('shared.config.js', 'env/', env)
  expect(code).toBe(0)
})

it('runs in "pet-mock exec", which has a server for it', async () => {
  const args = ['--env', 'EXPECTED_URL=url', '--', process.execPath, 'node_modules/vitest/vitest.mjs']
  const vitestArgs = ['run', '--config', 'own.config.js', 'env/']
  const { code, output } = await project.run('pet-mock/dist/pet-mock.cjs', ['exec', ...args, ...vitestArgs])
  expect(output).toMatch(/Tests {2}1 passed/)
  expect(code).toBe(0)
})

const exec = (...args: readonly string[]) =>
  project.run('pet-mock/dist/pet-mock.cjs', [
    ...['exec', '--', process.execPath, 'node_modules/vitest/vitest.mjs', 'run'],
    ...['--config', 'own.config.js', ...args],
  ])

it('a green test of a ban makes "pet-mock exec" exit with 0', async () => {
  const { code, output } = await exec('expected/')
  expect(output).toMatch(/Tests {2}1 passed/)
  expect(output).toContain('✓ expected  banned')
  expect(code).toBe(0)
})

it('fails a test whose expected finding does not come', async () => {
  const { code, output } = await vitest('shared.config.js', 'expected/', { MISSING: 'yes' })
  expect(output).toMatch(/Tests {2}2 failed \| 1 passed/)
  expect(output).toMatch(
    /PetMockError: The expected finding banned in the sandbox one-without-its-ban-\S+ did not come/,
  )
  expect(output).not.toContain('The expected finding early-retry')
  expect(code).toBe(1)
})
