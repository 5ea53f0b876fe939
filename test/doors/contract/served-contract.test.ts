import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { bundle, createConfig, lint } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { median } from '../../../bench/statistics.ts'
import { directoryWith } from '../../support/directory.ts'
import { runCommand, serveJson } from '../../support/run-command.ts'

const more = `openapi: 3.0.3
info: { title: More, version: 1.0.0 }
paths:
  /owners:
    get:
      operationId: listOwners
      security: []
      responses:
        "200": { description: Owners., content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } } } }
  /pets/{id}:
    parameters: [{ $ref: "#/components/parameters/Id" }]
    delete:
      operationId: deletePet
      responses: { "204": { description: Gone. } }
components:
  parameters: { Id: { name: id, in: path, required: true, schema: { type: integer, format: int64 } } }
  schemas: { Pet: { type: object, properties: { owner: { type: string } } }, Toy: { type: object } }
`

async function problemsAt(url: string) {
  const config = await createConfig({ extends: ['minimal'] })
  const found = await lint({ ref: url, config })
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ message, ruleId }) => `${ruleId}: ${message}`)
}

it('serves the contract in both forms, without a key, with its own base URL and CORS', async () => {
  const { ready } = await serveJson()
  const { origin } = new URL(ready.url)
  const texts = await Promise.all(
    ['yaml', 'json'].map(async form => {
      const response = await fetch(`${origin}/openapi.${form}`, {
        headers: { Origin: 'http://localhost:5173' },
      })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(`application/${form}`)
      expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
      expect(response.headers.get('x-ratelimit-limit')).toBeNull()
      return await response.text()
    }),
  )
  const [yaml, json] = [parse(texts[0] ?? ''), JSON.parse(texts[1] ?? '')]
  expect(json).toEqual(yaml)
  expect(json.servers).toEqual([{ url: ready.url, description: 'This pet-mock server.' }])
  expect(Object.keys(json.paths)).toEqual(['/pets', '/pets/{petId}', '/store/orders'])
  expect(texts.join()).not.toMatch(/https:\/\/api\.|staging/)

  const head = await fetch(`${origin}/openapi.json`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    `${Buffer.byteLength(texts[1] ?? '')}`,
    '',
  ])
  expect((await fetch(`${origin}/openapi.json`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${origin}/openapi.yml`)).status).toBe(404)
  const foreign = execFileSync('curl', [
    '-s',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
    '-H',
    'Host: evil.example',
    `${origin}/openapi.yaml`,
  ])
  expect(`${foreign}`).toBe('403')
  const list = await fetch(`${ready.url}/pets`, { headers: { Authorization: 'Bearer demo-free' } })
  expect(list.headers.get('x-ratelimit-remaining')).toBe('59')
})

it.each(['yaml', 'json'])('Redocly reads /openapi.%s from the server', async form => {
  const cwd = directoryWith({ 'more.yaml': more })
  const { ready } = await serveJson(['--openapi', 'more.yaml'], { cwd })
  const url = `${new URL(ready.url).origin}/openapi.${form}`
  expect(await problemsAt(url)).toEqual([])
  const { bundle: bundled } = await bundle({ ref: url, config: await createConfig({}), dereference: true })
  expect(Object.keys(Object(bundled.parsed).paths)).toEqual([
    '/pets',
    '/pets/{petId}',
    '/store/orders',
    '/owners',
  ])
  const owners = { properties: { owner: { type: 'string' } } }
  expect(bundled.parsed).toMatchObject({
    paths: {
      '/pets/{petId}': { delete: { parameters: [{ name: 'petId', in: 'path' }] } },
      '/owners': {
        get: { responses: { 200: { content: { 'application/json': { schema: { items: owners } } } } } },
      },
    },
    components: { schemas: { Pet: { allOf: expect.anything() }, Pet2: owners, Toy: { type: 'object' } } },
  })
  expect(Object(bundled.parsed).paths['/owners'].get).not.toHaveProperty('security')
})

it('writes a large contract once, however many hosts ask', async () => {
  const responses = { 200: { description: 'Fine.' } }
  const paths = Array.from({ length: 3_000 }, (_, at) => [`/things-${at}`, { get: { responses } }])
  const large = { openapi: '3.0.3', info: { title: 'L', version: '1' }, paths: Object.fromEntries(paths) }
  const cwd = directoryWith({ 'large.json': JSON.stringify(large) })
  const { ready } = await serveJson(['--openapi', 'large.json'], { cwd })
  const { port } = new URL(ready.url)
  const times: number[] = []
  for (let host = 0; host < 20; host += 1) {
    const from = performance.now()
    const origin = `http://127.0.0.${host + 1}:${port}`
    const answer = await readFrom(Number(port), `127.0.0.${host + 1}:${port}`)
    expect(answer.servers[0].url).toBe(`${origin}/v1`)
    expect(Object.keys(answer.paths)).toHaveLength(3_003)
    times.push(performance.now() - from)
  }
  const [first = 0, ...others] = times
  expect(median(others)).toBeLessThan(first / 5)
})

/** The contract as a client sees it that calls the server by this name. */
async function readFrom(port: number, host: string) {
  const asked = get({ host: '127.0.0.1', port, path: '/openapi.json', headers: { Host: host } })
  const [response] = await once(asked, 'response')
  return JSON.parse(await text(response))
}

it('uses --base-url, and is a contract that pet-mock check takes', async () => {
  const { ready } = await serveJson(['--base-url', 'https://shop.example/mock/v1'])
  const text = await (await fetch(`${new URL(ready.url).origin}/openapi.json`)).text()
  expect(JSON.parse(text).servers[0].url).toBe('https://shop.example/mock/v1')
  const cwd = directoryWith({ 'served.json': text })
  const check = await runCommand(['check', ready.url, '--openapi', 'served.json', '--key', 'demo-pro'], {
    cwd,
  })
  expect(check.stderr).not.toContain('not valid OpenAPI')
  expect(check.code).not.toBe(2)
})

const address =
  Object.values(networkInterfaces())
    .flat()
    .find(one => one?.family === 'IPv4')?.address ?? '127.0.0.1'

it('shows additions beyond loopback only with the admin token', async () => {
  const cwd = directoryWith({ 'more.yaml': more })
  const { ready } = await serveJson(
    ['--openapi', 'more.yaml', '--host', '0.0.0.0', '--admin-token', 'token-for-this-test'],
    { cwd },
  )
  const url = `http://${address}:${new URL(ready.url).port}/openapi.json`
  const pathsFor = async (headers: Record<string, string>) =>
    Object.keys(JSON.parse(await (await fetch(url, { headers })).text()).paths)
  expect(await pathsFor({})).not.toContain('/owners')
  expect(await pathsFor({ Authorization: 'Bearer wrong-token-for-this' })).not.toContain('/owners')
  expect(await pathsFor({ Authorization: 'Bearer token-for-this-test' })).toContain('/owners')
  expect(await pathsFor({})).not.toContain('/owners')
})
