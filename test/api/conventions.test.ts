import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumedSettings } from '../../src/control/profile/assumed.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { describeDoors, type OpenDoor } from '../support/doors.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

/* The settings of what services do in their own way. */

type Ask = Parameters<OpenDoor['send']>[0]

const used = (minute: number) => ({ keys: { 'demo-free': { plan: 'free', used: { minute } } } })
const post = (body: string, type = 'application/json'): Ask => ({
  method: 'POST',
  body,
  headers: [['Content-Type', type]],
})

/** What a call gets under settings: its status, and some of its headers or of its body. */
const rows: readonly [says: string, settings: ScenarioFile, calls: readonly Ask[], last: object][] = [
  [
    'a limit header has another name, and one is left out',
    { limits: { names: { limit: 'X-Quota', reset: 'off' } } },
    [{}],
    {
      'x-quota': '60',
      'x-ratelimit-limit': undefined,
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': undefined,
    },
  ],
  [
    'the reset in milliseconds',
    { limits: { reset: 'epoch-ms' } },
    [{}],
    { 'x-ratelimit-reset': `${noon - (noon % 1_000) + 60_000}` },
  ],
  ['the seconds to the reset', { limits: { reset: 'seconds' } }, [{}], { 'x-ratelimit-reset': '60' }],
  [
    'the reset as a date',
    { limits: { reset: 'iso-date' } },
    [{}],
    { 'x-ratelimit-reset': expect.stringMatching(/^2026-.*Z$/) },
  ],
  [
    'a call that gets 400 uses no quota',
    { limits: { countInvalid: false } },
    [{}, { target: '/v1/pets?limit=0' }, { target: '/v1/pets/0' }],
    { status: 404, 'x-ratelimit-remaining': '59' },
  ],
  [
    'pets come by descending id',
    { pageOrder: 'descending' },
    [{ target: '/v1/pets?limit=2' }],
    { ids: [100, 99] },
  ],
  [
    'a link is a path',
    { pagination: 'relative' },
    [{ target: '/v1/pets?limit=2' }],
    { link: expect.stringMatching(/^<\/v1\/pets\?limit=2&cursor=\w+>; rel="next"$/) },
  ],
  [
    'an unknown path needs no key',
    { order: { unknownPath: 'before-key' } },
    [{ target: '/v1/nothing', key: null }],
    { status: 404 },
  ],
  [
    'a known path still needs one',
    { order: { unknownPath: 'before-key' } },
    [{ key: null }],
    { status: 401 },
  ],
  [
    'a wrong query gets 400 over the limit, and uses nothing',
    { order: { validation: 'before-limit' }, ...used(60) },
    [{ target: '/v1/pets?limit=0' }],
    { status: 400, 'x-ratelimit-remaining': '0' },
  ],
  [
    'so does a wrong body',
    { order: { validation: 'before-limit' }, ...used(60) },
    [post('{}')],
    { status: 400 },
  ],
  ['a right query gets 429', { order: { validation: 'before-limit' }, ...used(60) }, [{}], { status: 429 }],
  [
    'the fields of a body come before its type',
    { order: { contentType: 'after-schema' } },
    [post('{}', 'text/plain')],
    { status: 400, code: 'invalid_body' },
  ],
  [
    'the type of a right body comes after them',
    { order: { contentType: 'after-schema' } },
    [post('{"name":"Rex","categoryId":1}', 'text/plain')],
    { status: 400, code: 'unsupported_media_type' },
  ],
  [
    'an error has the code and the message of the service',
    { errors: { pet_not_found: { code: 'not_found', message: 'No pet {id}: {method} {path}{other}' } } },
    [{ target: '/v1/pets/777' }],
    { status: 404, code: 'not_found', message: 'No pet 777: GET /v1/pets/777{other}' },
  ],
  [
    'a refusal names limit and wait',
    { errors: { rate_limit_exceeded: { message: '{limit} calls, wait {wait} s' } }, ...used(60) },
    [{}],
    { status: 429, code: 'rate_limit_exceeded', message: '60 calls, wait 60 s' },
  ],
  [
    'a wrong parameter is named',
    { errors: { invalid_parameter: { message: '{field} is {value}' } } },
    [{ target: '/v1/pets?limit=0' }],
    { message: 'limit is 0' },
  ],
  [
    'every response has extra headers',
    { responses: { headers: { 'X-Api': '7' } } },
    [{ key: null }],
    { status: 401, 'x-api': '7' },
  ],
  [
    'every error has extra members',
    { responses: { error: { type: 'about:blank' } } },
    [{ target: '/v1/pets/0' }],
    { type: 'about:blank' },
  ],
  [
    'every pet has extra members',
    { responses: { pet: { kind: 'animal' } } },
    [{ target: '/v1/pets/9' }],
    { status: 200, id: 9, kind: 'animal' },
  ],
]

describeDoors('settings of services', open => {
  test.each(rows)('%s', async (_says, settings, calls, last) => {
    const door = await open({ keepsContract: false, scenario: scenarioOf(settings) })
    let reply = await door.send(calls[0])
    for (const call of calls.slice(1)) reply = await door.send(call)
    const body: unknown = JSON.parse(reply.text)
    const seen: Record<string, unknown> = {
      ...reply.headers,
      ...(Array.isArray(body) ? { ids: body.map(({ id }) => id) } : (body as object)),
      status: reply.status,
    }
    for (const [name, value] of Object.entries(last)) expect(seen[name], name).toEqual(value)
  })

  test('pages in descending order hold every pet once, also while one is created', async () => {
    const door = await open({ keepsContract: false, scenario: scenarioOf({ pageOrder: 'descending' }) })
    const ids: number[] = []
    for (let target: string | undefined = '/v1/pets?limit=30'; target !== undefined; ) {
      const { text, headers } = await door.send({ target: target })
      ids.push(...JSON.parse(text).map(({ id }: { id: number }) => id))
      target = /<[^>]*?(\/v1[^>]*)>/.exec(`${headers.link ?? ''}`)?.[1]
      if (ids.length === 30) await door.send(post('{"name":"Rex","categoryId":1}'))
    }
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => 100 - index))
    expect(JSON.parse((await door.send({ target: '/v1/pets?limit=1' })).text)[0].id).toBe(101)
  })

  test('the reset in seconds and Retry-After agree', async () => {
    const door = await open({
      keepsContract: false,
      scenario: scenarioOf({ limits: { reset: 'seconds' }, ...used(60) }),
    })
    await door.send()
    door.advance(20_500)
    const refused = await door.send()
    expect(refused.headers['x-ratelimit-reset']).toBe(refused.headers['retry-after'])
  })
})

describe('any settings together', () => {
  test('no call fails, and Content-Length fits', async () => {
    const { createPetMock } = await import('../../src/library/testing/create-pet-mock.ts')
    const picks = fc.tuple(
      ...assumedSettings.map(({ samples }) => fc.option(fc.constantFrom(...samples), { nil: undefined })),
    )
    const calls = fc.array(
      fc.constantFrom<readonly [string, RequestInit?]>(
        ['/pets'],
        ['/pets?limit=0'],
        ['/pets/1'],
        ['/pets/0'],
        ['/nothing'],
        ['/pets', { method: 'PUT' }],
        ['/pets', { method: 'POST', body: '{}' }],
        [
          '/pets',
          {
            method: 'POST',
            body: '{"name":"Rex","categoryId":1}',
            headers: { 'Content-Type': 'application/json' },
          },
        ],
        ['/pets', { headers: { Authorization: 'Bearer wrong' } }],
      ),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(picks, calls, fc.integer({ min: 50, max: 60 }), async (values, asked, minute) => {
        const file: Record<string, unknown> = { ...used(minute) }
        values.forEach((value, index) => {
          if (value !== undefined) place(file, assumedSettings[index]?.path.split('.') ?? [], value)
        })
        const mock = createPetMock({ scenario: file as ScenarioFile })
        for (const [path, init] of asked) {
          const headers = { Authorization: 'Bearer demo-free', ...init?.headers }
          const response = await mock.fetch(new Request(`${mock.url}${path}`, { ...init, headers }))
          const text = await response.text()
          expect(response.status).toBeLessThan(500)
          expect(Number(response.headers.get('content-length'))).toBe(new TextEncoder().encode(text).length)
        }
        mock.close()
      }),
      { numRuns: 60 },
    )
  })
})

function place(file: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) file[name] = value
  else {
    const inner = { ...(file[name] as Record<string, unknown> | undefined) }
    place(inner, rest, value)
    file[name] = inner
  }
}
