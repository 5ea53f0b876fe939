import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createRunnerProject } from '../../support/runner-project.ts'

/* Jest as users run it: CommonJS by default, ES modules by a flag, and the DOM of jsdom. */
const project = createRunnerProject(['jest', 'jest-environment-jsdom'])
afterAll(project.remove)

const body = `
const list = async ({ url, key }) => (await call(url + '/pets', key)).status
let mock
beforeAll(async () => {
  mock = (await connectPetMock()).sandbox(file)
})
afterAll(() => mock.delete())
test('has the sandbox of its file', async () => {
  appendFileSync(join(folder, 'urls.txt'), mock.url + '\\n')
  await mock.pets.delete(1)
  expect(await mock.pets.list()).toHaveLength(99)
  expect(await list(mock)).toBe(200)
  await mock.keys.ban(mock.key, { for: '90s' })
  expect(await list(mock)).toBe(429)
})
test('a refused command is a PetMockError', async () => {
  await expect(mock.pets.delete(1)).rejects.toBeInstanceOf(PetMockError)
})
test('an expected finding that does not come rejects', async () => {
  await mock.expectFinding('banned')
  await expect(mock.reset()).rejects.toMatchObject({ code: 'finding_missing' })
})
test('fake timers do not matter', async () => {
  jest.useFakeTimers()
  expect(await mock.pets.list()).toHaveLength(100)
  jest.useRealTimers()
})
`
const byFetch = `const call = (url, key) => fetch(url, { headers: { Authorization: 'Bearer ' + key } })\n`
const byHttp = `
const { get } = require('node:http')
const call = (url, key) =>
  new Promise(resolve => get(url, { headers: { Authorization: 'Bearer ' + key } }, response => resolve({ status: response.resume().statusCode })))
`
const commonJs = `
const { appendFileSync } = require('node:fs')
const { join } = require('node:path')
const { connectPetMock, createPetMock, PetMockError, startPetMock } = require('pet-mock')
const folder = __dirname
const file = require('node:path').basename(__filename, '.test.js')
`
const inProcess = `
test('in process, and with a server of its own', async () => {
  const mock = createPetMock({ scenario: 'ban' })
  expect((await mock.fetch(mock.url + '/pets', { headers: { Authorization: 'Bearer ' + mock.key } })).status).toBe(429)
  const server = await startPetMock({ scenario: '${'./scenario.yaml'}', openapi: './toys.yaml' })
  expect(await list(server)).toBe(200)
  expect((await call(server.url + '/toys', server.key)).status).toBe(200)
  expect(await server.pets.list()).toHaveLength(2)
  await server.close()
})
`
const toys = `openapi: 3.1.0
info: { title: Toys, version: '1' }
paths:
  /toys:
    get:
      responses:
        '200':
          description: Toys.
          content: { application/json: { schema: { type: array, items: { type: object } } } }
`

const commonConfig = { globalSetup: 'pet-mock/global-setup', maxWorkers: 3 }

project.write({
  'common/package.json': '{}',
  'common/jest.config.json': JSON.stringify(commonConfig),
  'common/scenario.yaml': 'pets: { count: 2 }\n',
  'common/toys.yaml': toys,
  ...Object.fromEntries(
    ['one', 'two', 'three', 'four'].map(name => [
      `common/${name}.test.js`,
      commonJs + byFetch + body + (name === 'one' ? inProcess : ''),
    ]),
  ),
  'page/package.json': '{}',
  'page/jest.config.json': JSON.stringify({ ...commonConfig, testEnvironment: 'jsdom' }),
  'page/page.test.js': `${commonJs}${byHttp}test('has a page', () => expect(document.body).toBeDefined())
    test('says what a mock in process misses', () => {
      const message = /has no Request, Response, TextEncoder, TextDecoder\\. .* set testEnvironment to jest-fixed-jsdom/
      expect(() => createPetMock()).toThrow(message)
    })\n${body}`,
  'own-setup/package.json': '{}',
  'own-setup/jest.config.json': JSON.stringify({ globalSetup: './set-up.js' }),
  'own-setup/set-up.js': `
    const { startPetMock } = require('pet-mock')
    module.exports = async () => {
      const mock = await startPetMock({ unref: true })
      process.env.API_URL = mock.url
      process.env.API_KEY = mock.key
    }`,
  'own-setup/own.test.js': `
    ${byFetch}
    test('asks the server of the setup', async () => {
      expect((await call(process.env.API_URL + '/pets', process.env.API_KEY)).status).toBe(200)
    })`,
  'modules/package.json': '{ "type": "module" }',
  'modules/jest.config.json': JSON.stringify({ ...commonConfig, transform: {} }),
  'modules/modules.test.js': `
    import { appendFileSync } from 'node:fs'
    import { join } from 'node:path'
    import { jest } from '@jest/globals'
    import { connectPetMock, PetMockError } from 'pet-mock'
    const [folder, file] = [import.meta.dirname, 'modules']
    ${byFetch}${body}`,
})

const urlsOf = (folder: string) =>
  new Set(
    readFileSync(join(project.path, folder, 'urls.txt'), 'utf8')
      .trim()
      .split('\n'),
  )

it('CommonJS: one server for all workers, a sandbox for each file, and a run that ends by itself', async () => {
  const { code, output } = await project.runIn('common', 'jest/bin/jest.js', [])
  expect(output).toMatch(/Tests: +17 passed/)
  expect(output).not.toMatch(/did not exit|open handle|failed to exit/)
  expect(code).toBe(0)
  expect(urlsOf('common').size).toBe(1)
})

it('a setup of its own, without a teardown: the run ends by itself', async () => {
  const { code, output } = await project.runIn('own-setup', 'jest/bin/jest.js', [])
  expect(output).toMatch(/Tests: +1 passed/)
  expect(output).not.toMatch(/did not exit|open handle|failed to exit/)
  expect(code).toBe(0)
})

it('ES modules', async () => {
  const { code, output } = await project.runIn('modules', 'jest/bin/jest.js', [], {
    NODE_OPTIONS: '--experimental-vm-modules',
  })
  expect(output).toMatch(/Tests: +4 passed/)
  expect(code).toBe(0)
})

it('jest-environment-jsdom', async () => {
  const { code, output } = await project.runIn('page', 'jest/bin/jest.js', [])
  expect(output).toMatch(/Tests: +6 passed/)
  expect(code).toBe(0)
})
