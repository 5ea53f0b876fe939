import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationPattern, formatDuration, parseDuration } from '../../../src/base/time/duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('parseDuration', () => {
  test.each<[text: string, ms: number]>([
    ['90s', 90 * second],
    ['1.5s', 1500],
    ['250ms', 250],
    ['2m', 2 * minute],
    ['1h30m', 90 * minute],
    ['1d', day],
    ['1d2h3m4s5ms', day + 2 * hour + 3 * minute + 4 * second + 5],
    ['1m5ms', minute + 5],
    ['0s', 0],
    ['1h05m', 65 * minute],
    ['90m', 90 * minute],
    ['1.001s', 1001],
    ['1.10000s', 1100],
    ['1.0ms', 1],
    ['0.0009765625d', 84_375],
    ['36500d', 36_500 * day],
    ['3153600000000ms', 36_500 * day],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
    expect(text).toMatch(new RegExp(durationPattern))
  })

  test.each([
    ...[
      '',
      '90',
      '0',
      's',
      '-1s',
      '+1s',
      '1s ',
      ' 1s',
      '1 s',
      '1s\n',
      '1m 30s',
      '1e3s',
      '1,5s',
      '1.s',
      '.5s',
      '1.5.5s',
    ],
    ...[
      '1s1s',
      '1h1h',
      '1s1m',
      '30m1h',
      '1ms1s',
      '1w',
      '1y',
      '1S',
      '1H',
      '1min',
      '1sec',
      '1µs',
      '٣s',
      'PT1S',
      '1d-2h',
    ],
    ...['99999999999999999s', 'Infinitys'],
  ])('%j is none', text => {
    expect(parseDuration(text)).toBe(undefined)
    expect(text).not.toMatch(new RegExp(durationPattern))
  })

  test.each([
    '0.5ms',
    '1.0001s',
    '0.00001m',
    '0.1d0.1ms',
    '3153600000001ms',
    '36500d1ms',
    '9007199254740992ms',
    '9007199254740991s',
    '104249991375d',
  ])('%s is none, though a pattern cannot tell', text => {
    expect(parseDuration(text)).toBe(undefined)
    expect(text).toMatch(new RegExp(durationPattern))
  })
})

describe('formatDuration', () => {
  test.each<[ms: number, text: string]>([
    [0, '0s'],
    [1, '1ms'],
    [250, '250ms'],
    [500, '0.5s'],
    [1000, '1s'],
    [1500, '1.5s'],
    [minute, '1m'],
    [90 * second, '90s'],
    [90 * minute, '90m'],
    [90 * day, '90d'],
    [day + 90 * second, '1d90s'],
    [1234.4, '1234ms'],
    [-5, '0s'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991ms'],
  ])('%s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test('is read back as it was', () => {
    fc.assert(
      fc.property(durations(), ms => {
        expect(parseDuration(formatDuration(ms))).toBe(ms)
      }),
      { numRuns: 2000 },
    )
  })

  test('is never longer than another text for the same', () => {
    fc.assert(
      fc.property(texts(), text => {
        const ms = parseDuration(text)
        fc.pre(ms !== undefined)
        expect(formatDuration(ms).length).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 5000 },
    )
  })
})

test('the pattern fits what is read', () => {
  const pattern = new RegExp(durationPattern, 'u')
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'01.5dhms-') }), text => {
      if (parseDuration(text) !== undefined) expect(text).toMatch(pattern)
      else if (pattern.test(text)) expect(text).toMatch(/[.]|[0-9]{5}/)
    }),
    { numRuns: 20_000 },
  )
})

function durations() {
  const round = fc.constantFrom(1, 10, 100, second, minute, hour, day)
  return fc.oneof(
    fc.tuple(fc.nat(2000), round, fc.nat(100), round).map(([a, unit, b, other]) => a * unit + b * other),
    fc.maxSafeNat().map(ms => ms % (36_500 * day)),
  )
}

/** Durations in every way to write them: roundabout sums, and a fraction in the last unit. */
function texts() {
  const part = (unit: string) => fc.option(fc.nat(2000).map(amount => `${amount}${unit}`))
  const parts = fc.tuple(...['d', 'h', 'm', 's', 'ms'].map(part)).map(all => all.join(''))
  const fraction = fc.constantFrom('', '.1', '.2', '.5', '.25', '.125', '.001', '.50')
  return fc.tuple(parts, fraction).map(([text, last]) => text.replace(/(?=[a-z]+$)/, last))
}
