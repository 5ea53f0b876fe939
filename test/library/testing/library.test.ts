import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import type { PetMockOptions } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { listenHttp } from '../../support/listen.ts'

const authorization = { Authorization: 'Bearer demo-free' }
const json = { ...authorization, 'Content-Type': 'application/json' }
const rex = '{"name":"Rex","categoryId":9223372036854775807}'

describe.each([
  ['in process', async () => createPetMock()],
  [
    'over HTTP',
    async () => {
      const mock = await startPetMock()
      return { ...mock, fetch: globalThis.fetch }
    },
  ],
] as const)('%s', (_way, open) => {
  it.each<[path: string, init: RequestInit, status: number, text: string | RegExp]>([
    ['/pets?limit=1', { headers: authorization }, 200, /^\[\{"id":1,"name":"Biscuit".*\}\]$/],
    ['/pets', { method: 'POST', headers: json, body: rex }, 201, /^\{"id":101,.*9223372036854775807\}$/],
    ['/pets', { method: 'POST', headers: json, body: `"${'x'.repeat(2 ** 20)}"` }, 413, /body_too_large/],
    ['/pets', { method: 'POST', headers: json }, 400, /has no body/],
    ['/pets', { method: 'HEAD', headers: authorization }, 200, /^$/],
    ['/pets', { method: 'OPTIONS' }, 204, /^$/],
    ['/pets/13', { method: 'PUT', headers: authorization }, 405, /method_not_allowed/],
    ['/pets', {}, 401, /missing_api_key/],
    ['/cats%20', { headers: authorization }, 404, /nothing at GET \/v1\/cats%20/],
  ])('%s %j', async (path, init, status, text) => {
    const mock = await open()
    const response = await mock.fetch(`${mock.url}${path}`, init)
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(text)])
    await mock.close()
  })

  it('has its key and its URL', async () => {
    const mock = await open()
    expect(mock).toMatchObject({
      url: expect.stringMatching(/^http:\/\/.*\/v1$/),
      key: 'demo-free',
    })
    await mock.close()
    await mock.close()
  })

  it('gives a page whose next one it can be asked for', async () => {
    const mock = await open()
    const first = await mock.fetch(`${mock.url}/pets?limit=2`, { headers: authorization })
    const [, next = ''] = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    expect(next).toContain(mock.url)
    const second = await mock.fetch(next, { headers: authorization })
    expect(await second.json()).toMatchObject([{ id: 3 }, { id: 4 }])
    await mock.close()
  })

  it('heeds a signal', async () => {
    const mock = await open()
    await expect(mock.fetch(mock.url, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    await mock.close()
  })
})

it('answers a call at once, as a plain value', () => {
  const { handle } = createPetMock({ scenario: { extends: 'ban' } })
  const call = { method: 'GET', target: '/v1/pets', headers: { authorization: 'Bearer demo-free' } }
  expect(handle(call)).toMatchObject({ status: 429, body: expect.stringMatching(/banned/) })
  expect(handle({ ...call, headers: { Host: 'pet-mock.localhost', ...call.headers } }).status).toBe(429)
})

it('knows nothing of another one in the same process', async () => {
  const [one, other] = [createPetMock(), createPetMock()]
  await one.fetch(`${one.url}/pets`, { method: 'POST', headers: json, body: rex })
  const response = await other.fetch(`${other.url}/pets/101`, { headers: authorization })
  expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([404, '59'])
})

it.each([
  ['bann', 'scenario: no shipped scenario is named "bann"; did you mean ban?'],
  [{ extends: 'fre-plan' }, 'extends: no shipped scenario is named "fre-plan"; did you mean free-plan?'],
  [{ pets: { count: -1 } }, 'expected a whole number of pets from 0 to 1000000, found -1'],
])('says what is wrong with the scenario %j', async (scenario, message) => {
  const options = { scenario } as PetMockOptions
  expect(() => createPetMock(options)).toThrow(message)
  await expect(startPetMock(options)).rejects.toThrow(message)
})

it('rejects with Node’s error when the port is taken', async () => {
  const { port } = await listenHttp(() => {})
  await expect(startPetMock({ port })).rejects.toThrow('EADDRINUSE')
})

it('is closed at the end of the block that uses it', async () => {
  const mock = await startPetMock()
  await mock[Symbol.asyncDispose]()
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
  await expect(new Promise((_resolve, reject) => socket.once('error', reject))).rejects.toThrow(
    'ECONNREFUSED',
  )
})
