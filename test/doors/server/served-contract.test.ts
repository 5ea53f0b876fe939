import { execFileSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { bundle, createConfig, lint } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { serveContract } from '../../../src/doors/server/served-contract.ts'
import type { CallContext } from '../../../src/emulator/gates/call-context.ts'
import type { OpenAreas } from '../../../src/emulator/gates/open-areas.ts'
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

it('writes what --openapi adds once, however many hosts ask', async () => {
  let written = 0
  const areas = {
    description: () => {
      written += 1
      return { document: {}, operations: [] }
    },
  } as unknown as OpenAreas
  const answer = serveContract({ token: undefined, isExposed: false })
  const call = { method: 'GET', headers: [] }
  for (const host of ['127.0.0.1', '127.0.0.2', 'localhost']) {
    const context = { target: { path: '/openapi.json' }, address: { base: `http://${host}/v1` }, call }
    const { body = '' } = (await answer(context as unknown as CallContext, areas)) ?? {}
    expect(JSON.parse(body).servers[0].url).toBe(`http://${host}/v1`)
  }
  expect(written).toBe(1)
})

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
