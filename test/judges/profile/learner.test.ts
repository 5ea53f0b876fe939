import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../../src/base/time/duration.ts'
import { assumedSettings } from '../../../src/control/profile/assumed.ts'
import type { Line } from '../../../src/emulator/worlds/scenario.ts'
import { createStandIn, drawSettings, modes, type Settings } from './stand-in.ts'

const usual = new Map(assumedSettings.map(({ path, usual }) => [path, usual]))
const services = Array.from({ length: 60 }, (_, index) => index + 1)

/** The true value of a setting, and whether a line says so. */
function isRight(path: string, line: Line, settings: Settings): boolean {
  const truth = settings[path] ?? usual.get(path) ?? 'none'
  if (path.startsWith('latency.')) return true
  if (path.startsWith('errors.')) {
    const { code, message } = Object(line.value)
    const own = Object(settings[path])
    // Without an own wording it has those of pet-mock, which learn-service.test.ts compares.
    const isWording = message === undefined || own.message === undefined || message === own.message
    return isWording && code === (own.code ?? path.slice('errors.'.length))
  }
  const amount = (value: unknown) =>
    typeof value === 'number' ? value : (parseDuration(`${value}`) ?? Number.NaN)
  if (line.state === 'bounded') {
    const { atLeast = truth, atMost = truth } = line
    return amount(truth) >= amount(atLeast) && amount(truth) <= amount(atMost)
  }
  if (path === 'bans.for') return amount(line.value) === amount(truth)
  return JSON.stringify(line.value) === JSON.stringify(truth)
}

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
