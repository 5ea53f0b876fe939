import { describe, expect, test } from 'vitest'
import { assumedSettings } from '../../../src/control/profile/assumed.ts'
import { learnService } from '../../../src/judges/profile/learn-service.ts'
import { createStandIn, drawSettings, isRight, modes, type Sent, type Settings } from './stand-in.ts'

const services = Array.from({ length: 60 }, (_, index) => index + 1)

/** Whether limit headers show all that they can: with one left out, their numbers do not prove what they are. */
const hasAllHeaders = (settings: Settings) =>
  !['limit', 'remaining', 'reset'].some(role => settings[`limits.names.${role}`] === 'off')

const reading = [
  'errors.invalid_parameter',
  'errors.missing_api_key',
  'errors.invalid_api_key',
  'errors.route_not_found',
  'order.unknownPath',
  'pageOrder',
  'pagination',
  'pageSize',
  'responses.error',
]
const writing = [
  'errors.invalid_body',
  'errors.invalid_json',
  'errors.unsupported_media_type',
  'pets.defaultStatus',
]

/** What a mode settles for every service, and for those whose headers show it. */
const settles: Readonly<
  Record<keyof typeof modes, { readonly all: readonly string[]; readonly shown: readonly string[] }>
> = {
  learn: { all: reading, shown: ['limits.names.limit', 'limits.names.remaining', 'limits.names.reset'] },
  writes: { all: [...reading, ...writing, 'responses.pet'], shown: [] },
  exhaust: {
    all: [...reading, 'limits.retryAfter', 'errors.rate_limit_exceeded'],
    shown: ['responses.headers'],
  },
  ban: { all: ['bans.status'], shown: ['bans.after'] },
}

describe.each(Object.keys(modes) as (keyof typeof modes)[])('%s', mode => {
  const results = services.map(seed => {
    const settings = drawSettings(seed)
    const year = seed % 3 === 0 ? 2033 : 2026
    const at = Date.UTC(year, 10, 22, 12) + ((seed * 7_919) % 60_000)
    const service = createStandIn(settings, { at, offset: (seed % 5) * 13_337 })
    modes[mode](service)
    return { seed, settings, profile: service.profile(), service }
  })

  test('no line is wrong', () => {
    const wrong = results.flatMap(({ seed, settings, profile }) =>
      Object.entries(profile.learned)
        .filter(([path, line]) => !isRight(path, line, settings))
        .map(([path, line]) => [seed, path, line, settings[path]]),
    )
    expect(wrong).toEqual([])
  })

  test('every setting has a line or is unknown', () => {
    for (const { profile } of results)
      for (const { path } of assumedSettings)
        expect([path, path in profile.learned]).toEqual([path, !profile.unknown.includes(path)])
  })

  test('it settles what the calls can show', () => {
    const { all, shown } = settles[mode]
    const open = results.flatMap(({ seed, settings, profile, service }) => {
      const codes = new Set(service.exchanges.map(({ trace, reply }) => `${trace.code} ${reply.status}`))
      const isRefused = codes.has('rate_limit_exceeded 429')
      const isBanned = isRefused && [...codes].some(code => code.startsWith('api_key_banned'))
      // A ban at the first refusal looks like a limit, and so does one with the same code that ends with the window.
      if (!isRefused && (mode === 'exhaust' || mode === 'ban')) return []
      if (mode === 'ban' && (!isBanned || Object(settings['errors.api_key_banned']).code === 'sample'))
        return []
      const isShown = settings['limits.dialect'] !== 'ietf' && hasAllHeaders(settings)
      const wanted = [...all, ...(isShown ? shown : [])]
      return wanted.filter(path => !(path in profile.learned)).map(path => `${seed} ${path}`)
    })
    expect(open).toEqual([])
  })
})

test.each([
  ['reads', {}],
  ['writes', { writes: true }],
  ['uses up a minute', { exhausts: true }],
])('the plan of learn that %s learns no wrong line', async (_name, allowed) => {
  const wrong: unknown[] = []
  for (const seed of services) {
    const settings = drawSettings(seed)
    const service = createStandIn(settings, { at: Date.UTC(2026, 10, 22, 12) + ((seed * 7_919) % 60_000) })
    const keys = { valid: 'learner', none: null } as const
    await learnService({
      writes: false,
      exhausts: false,
      bans: false,
      ...allowed,
      send: async ({ method, target, body, headers, key }) => {
        const own = key === 'valid' || key === 'none' ? keys[key] : 'learnerx'
        const type = headers['Content-Type'] ?? 'application/json'
        service.send({ method, target, type, key: own, ...(body !== undefined && { body }) })
        return service.exchanges.at(-1)
      },
      now: service.now,
      wait: async ms => service.wait(ms),
    })
    const { learned } = service.profile()
    for (const [path, line] of Object.entries(learned))
      if (!isRight(path, line, settings)) wrong.push([seed, path, line, settings[path]])
    expect(Object.keys(learned)).toEqual(expect.arrayContaining(reading))
  }
  expect(wrong).toEqual([])
})

describe('a few calls settle', () => {
  const at = Date.UTC(2026, 10, 22, 12, 0, 13)
  const own = (name: string, message: string) => ({ [`errors.${name}`]: { code: `own_${name}`, message } })

  test.each<[setting: string, settings: Settings, calls: readonly Sent[], line: object]>([
    [
      'pageSize',
      { pageSize: 'clamp' },
      [{ target: '/pets?limit=500' }],
      { value: 'clamp', state: 'observed' },
    ],
    [
      'pageSize',
      { pageSize: 'reject' },
      [{ target: '/pets?limit=500' }],
      { value: 'reject', state: 'observed' },
    ],
    [
      'responses.pet',
      { 'responses.pet': { extra: 7 }, 'pets.count': 0 },
      [
        { target: '/pets' },
        { method: 'POST', target: '/pets', body: '{"name":"Rex","categoryId":1}' },
        { target: '/pets/1' },
      ],
      { value: { extra: 7 } },
    ],
    [
      'deprecation.since',
      { 'deprecation.since': '2026-01-05T00:00:00Z' },
      [{ target: '/pets/1' }],
      { value: '2026-01-05T00:00:00Z' },
    ],
    [
      'deprecation.after',
      { 'deprecation.removedAt': '2025-06-01T00:00:00Z', 'deprecation.after': 410 },
      [{ target: '/pets' }, { target: '/pets/1' }, { target: '/pets/2' }],
      { value: 410 },
    ],
    [
      'errors.pet_not_found',
      own('pet_not_found', 'No pet {id}'),
      [{ target: '/pets/1' }, { target: '/pets/987001' }, { target: '/pets/987002' }, { target: '/pets/2' }],
      { value: { code: 'own_pet_not_found', message: 'No pet {id}' }, state: 'observed' },
    ],
    [
      'errors.invalid_parameter',
      own('invalid_parameter', 'Bad {field}: "{value}"'),
      ['limit=0', 'limit=no', 'status=lost', 'status=gone'].map(query => ({ target: `/pets?${query}` })),
      { value: { code: 'own_invalid_parameter', message: 'Bad {field}: "{value}"' }, state: 'observed' },
    ],
    [
      'limits.countInvalid',
      { 'limits.dialect': 'ietf' },
      ['/pets', '/pets', '/pets', '/pets/987001', '/pets/987002'].map(target => ({ target })),
      { value: true, state: 'observed' },
    ],
  ])('%s of a service with %j', (setting, settings, calls, line) => {
    const service = createStandIn(settings, { at })
    for (const call of calls) service.send(call)
    expect(service.profile().learned[setting]).toMatchObject(line)
  })

  test.each(['exhaust', 'ban'] as const)(
    'with %s: the window, which began with its first call, and a wording that only refusals show',
    mode => {
      const wording = { code: 'slow_down', message: 'At most {limit} calls; wait {wait} seconds' }
      const service = createStandIn({ 'errors.rate_limit_exceeded': wording }, { at })
      modes[mode](service)
      const { learned } = service.profile()
      expect(learned['limits.window']).toMatchObject({ value: 'first-call' })
      expect(learned['errors.rate_limit_exceeded']).toMatchObject({ value: wording, state: 'inferred' })
    },
  )
})
