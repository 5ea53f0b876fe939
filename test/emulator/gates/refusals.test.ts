import { expect, it } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { checkHosts, createHostGuard } from '../../../src/emulator/gates/api-address.ts'
import { createCallerReader } from '../../../src/emulator/gates/caller.ts'
import type { OpenAreas } from '../../../src/emulator/gates/open-areas.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

const bearer = (key: string) => ['Host', 'localhost', 'Authorization', `Bearer ${key}`]

/** The message of the last of some equal calls, and how its journal entry explains it. */
function refusal(
  file: ScenarioFile,
  target: string,
  headers = bearer('demo-free'),
  times = 1,
  method = 'GET',
  areas?: OpenAreas,
) {
  const { handle, sandboxes, openAreas } = createEmulator({ scenario: scenarioOf(file), startedAt: noon })
  if (areas !== undefined) openAreas(areas)
  let reply: ReturnType<typeof handle> | undefined
  for (let call = 0; call < times; call += 1) {
    const scheme = 'http' as const
    reply = handle({ method, target, headers, body: undefined, scheme, receivedAt: noon, client: 'a' })
  }
  const trace = [...sandboxes.default.journal].at(-1)?.trace
  return { message: JSON.parse(reply?.body ?? '{}').message, headers: reply?.headers, reply, trace }
}

const plan = 'free' as const
const keys: ScenarioFile['keys'] = {
  old: { plan, expires: '2026-03-02T11:00:00Z' },
  gone: { plan, revoked: true },
  held: { plan, banned: '5m' },
}

it.each([
  ['nobody', 'an unknown key'],
  ['old', 'a key that expired at 2026-03-02T11:00:00Z'],
  ['gone', 'a revoked key'],
])('explains why the key %s is refused', (key, asked) => {
  const { trace } = refusal({ keys }, '/v1/pets', bearer(key))
  expect(trace?.mismatches).toEqual([{ what: 'API key', asked, expected: 'a valid key' }])
})

it.each([
  ['demo-free+feature/login', true],
  ['demo-free+', true],
  [`demo-free+${'x'.repeat(65)}`, true],
  ['nobody+feature/login', false],
  // A revoked key creates no sandbox.
  ['gone+w1', false],
])('explains what is wrong with the sandbox in the key %s', (key, isKnown) => {
  const { trace, message } = refusal({ keys }, '/v1/pets', bearer(key))
  expect(message).toBe('The API key is not valid.')
  const wrong = {
    what: 'API key',
    asked: 'a known key, but what follows its + is not the name of a sandbox',
    expected: 'the name of a sandbox: 1 to 64 letters, digits and . _ -',
  }
  const unknown = { what: 'API key', asked: 'an unknown key', expected: 'a valid key' }
  expect(trace?.mismatches).toEqual([isKnown ? wrong : unknown])
})

it('says whose quota is used up', () => {
  const limits = { anonymous: 'enforce' } as const
  const { message } = refusal({ limits }, '/v1/pets', ['Host', 'localhost'], 61)
  expect(message).toContain('calls without a valid API key')
})

it('says why a key is banned, until when, and when its quota is back', () => {
  const cause = 'because it kept calling while rate limited'
  const held = refusal({ keys }, '/v1/pets', bearer('held'))
  expect(held.message).toBe(`The API key is banned until 2026-03-02T12:05:00Z ${cause}. Retry in 300 s.`)
  expect(held.headers).toMatchObject({ 'Cache-Control': 'no-store' })
  const bans = { after: 2, for: '10s', status: 403 } as const
  const { message, headers } = refusal({ bans }, '/v1/pets', undefined, 63)
  expect(message).toMatch(
    new RegExp(
      String.raw`^The API key is banned until \S+Z ${cause}; its quota is used up until \S+Z\. Retry in \d+ s\.$`,
    ),
  )
  expect(headers).not.toHaveProperty('Cache-Control')
})

const stranger = ['Host', 'localhost']
const [pathFirst, queryFirst] = [{ unknownPath: 'before-key' }, { validation: 'before-limit' }] as const

it.each<[order: ScenarioFile['order'], target: string, headers: readonly string[], code: string]>([
  [{}, '/v1/nothing', stranger, 'missing_api_key'],
  [pathFirst, '/v1/nothing', stranger, 'route_not_found'],
  [pathFirst, '/v1/pets', stranger, 'missing_api_key'],
  [queryFirst, '/v1/nothing', stranger, 'missing_api_key'],
  [{}, '/v1/pets?limit=0', bearer('spent'), 'rate_limit_exceeded'],
  [queryFirst, '/v1/pets?limit=0', bearer('spent'), 'invalid_parameter'],
  [queryFirst, '/v1/pets?limit=1', bearer('spent'), 'rate_limit_exceeded'],
  // getPet reads no query.
  [queryFirst, '/v1/pets/1?limit=0', bearer('spent'), 'rate_limit_exceeded'],
  [pathFirst, '/v1/pets?limit=0', bearer('spent'), 'rate_limit_exceeded'],
])('refuses in the order %j: %s with %j gets %s', (order, target, headers, code) => {
  const spent = { plan, used: { minute: 60 } }
  const { trace } = refusal({ order, keys: { spent } }, target, [...headers])
  expect(trace?.code).toBe(code)
})

it.each<[countInvalid: boolean, method: string, target: string, status: number, isCounted: boolean]>([
  [true, 'GET', '/v1/pets?limit=0', 400, true],
  [true, 'GET', '/v1/pets/0', 404, true],
  [false, 'GET', '/v1/pets?limit=0', 400, false],
  [false, 'GET', '/v1/pets/0', 404, false],
  [false, 'GET', '/v1/nothing', 404, false],
  [false, 'PUT', '/v1/pets', 405, true],
  [false, 'GET', '/v1/pets', 200, true],
])('with countInvalid %j, %s %s gets %d: counted %j', (countInvalid, method, target, status, isCounted) => {
  const { reply, trace } = refusal({ limits: { countInvalid } }, target, undefined, 2, method)
  expect(reply).toMatchObject({ status, headers: { 'X-RateLimit-Remaining': isCounted ? '58' : '60' } })
  expect(trace?.limit?.minute.used).toBe(isCounted ? 2 : undefined)
})

it('lets a banned key call once bans are off', () => {
  const { handle, sandboxes } = createEmulator({ scenario: scenarioOf({ keys }), startedAt: noon })
  const call = { method: 'GET', target: '/v1/pets', body: undefined, scheme: 'http', client: 'a' } as const
  const status = () => handle({ ...call, headers: bearer('held'), receivedAt: noon }).status
  const before = status()
  sandboxes.adopt(scenarioOf({ keys: { held: { plan } }, bans: 'off' }), noon)
  expect([before, status()]).toEqual([429, 200])
})

it.each([
  ['/pets', ['Host', 'pets.localhost:8080'], 'at http://pets.localhost:8080/v1'],
  ['/pets', [], 'under the path /v1'],
])('says where the API is: %s with %j', (target, headers, place) => {
  const { message } = refusal({}, target, headers)
  expect(message).toBe(`There is no API at GET /pets. The Pet Adoption Service is ${place} (pet-mock).`)
})

it.each([
  ['/v1/pets/', 'Remove the slash at the end: /v1/pets.'],
  ['/v1/petsx', 'The API has /v1/pets, /v1/pets/{petId}, /v1/store/orders.'],
  ['/v1/toys/', 'The API has /v1/pets, /v1/pets/{petId}, /v1/store/orders.'],
])('hints at the path that %s may mean', (target, hint) => {
  expect(refusal({}, target).message).toBe(`There is nothing at GET ${target}. ${hint}`)
})

/** What a user's contract adds to the three paths of the API. */
function areasAt(...paths: readonly string[]): OpenAreas {
  return {
    paths,
    methods: ['PUT'],
    find: () => undefined,
    methodsAt: path => (paths.includes(path) ? ['PUT'] : []),
  }
}

const seven = ['a', 'b', 'c', 'd', 'e', 'f', '{id}'].map(name => `/v1/shops/${name}`)

it.each<[target: string, paths: readonly string[], hint: string]>([
  ['/v1/toys', ['/v1/toys/'], 'Add a slash at the end: /v1/toys/.'],
  ['/v1/toys/', ['/v1/toys'], 'Remove the slash at the end: /v1/toys.'],
  // Up to ten paths are named, and of more the nearest.
  ['/v1/pet', seven, `The API has /v1/pets, /v1/pets/{petId}, /v1/store/orders, ${seven.join(', ')}.`],
  ['/v1/pet', [...seven, '/v1/toys'], 'Did you mean /v1/pets?'],
  ['/v1/pet/12345678', [...seven, '/v1/toys'], 'Did you mean /v1/pets/{petId}?'],
  ['/v1/pets/7/toy', [...seven, '/v1/pets/{petId}/toys'], 'Did you mean /v1/pets/{petId}/toys?'],
  ['/v1/toy/a/b/c/d', [...seven, '/v1/toys/a/b/c/d'], 'Did you mean /v1/toys/a/b/c/d?'],
  ['/v1/stores/orders', [...seven, '/v1/toys'], 'Did you mean /v1/store/orders?'],
  ['/v1/animals-and-plants', [...seven, '/v1/toys'], 'The API has 11 other paths.'],
])('hints at the path that %s may mean, besides those of a contract: %j', (target, paths, hint) => {
  const { message } = refusal({}, target, undefined, 1, 'GET', areasAt(...paths))
  expect(message).toBe(`There is nothing at GET ${target}. ${hint}`)
})

it('refuses the first of several hosts that is not allowed', () => {
  const check = createHostGuard(['a.test'])
  expect(checkHosts(check)).toBeUndefined()
  expect(checkHosts(check, ['a.test', 'localhost'])).toBeUndefined()
  expect(checkHosts(check, ['a.test', 'b.test', 'c.test'])?.message).toBe(
    'The host "b.test" is not allowed. Start pet-mock with --allowed-hosts b.test to allow it.',
  )
  expect(checkHosts(check, ["a'b.test"])?.message).toBe('The host "a\'b.test" is not allowed.')
  expect(checkHosts(check, ['x'])?.message).toContain('--allowed-hosts x ')
})

it('reads the same headers once, of the last four callers', () => {
  let reads = 0
  const read = createCallerReader(() => {
    reads += 1
    return { headers: {}, refusal: undefined }
  }, false)
  const callers = ['a', 'b', 'c', 'd', 'e'].map(host => ['Host', host])
  for (const headers of [...callers.slice(0, 4), ['Host', 'a'], ['Host', 'd']]) read(headers)
  expect(reads).toBe(4)
  for (const headers of [...callers.slice(4), ...callers.slice(1)]) read(headers)
  expect(reads).toBe(5)
  expect(read(['Host', 'a']).host).toBe('a')
  expect([reads, read(['Host', 'e']).headers === callers[4]]).toEqual([6, true])
  expect(read(['Host', 'e', 'Accept', '*/*']).headers).toHaveLength(4)
  expect(read(['Host', 'e', 'Accept', 'a']).headers.at(-1)).toBe('a')
})
