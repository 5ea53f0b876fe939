import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, instantPattern, parseInstant } from '../../../src/base/time/instant.ts'

const pattern = new RegExp(instantPattern, 'u')

describe('parseInstant', () => {
  test.each<[text: string, ms: number]>([
    ['1970-01-01T00:00:00Z', 0],
    ['2030-12-05', Date.UTC(2030, 11, 5)],
    ['2030-12-05T00:00:00Z', Date.UTC(2030, 11, 5)],
    ['2026-03-02T09:00:00Z', Date.UTC(2026, 2, 2, 9)],
    ['2026-03-02T09:00:00+01:00', Date.UTC(2026, 2, 2, 8)],
    ['2026-03-02T09:00:00-05:30', Date.UTC(2026, 2, 2, 14, 30)],
    ['2026-03-02T23:59:59-00:00', Date.UTC(2026, 2, 2, 23, 59, 59)],
    ['2026-03-02t09:00:00z', Date.UTC(2026, 2, 2, 9)],
    ['2026-03-02T09:00:00.5Z', Date.UTC(2026, 2, 2, 9, 0, 0, 500)],
    ['2026-03-02T09:00:00.123Z', Date.UTC(2026, 2, 2, 9, 0, 0, 123)],
    ['2026-03-02T09:00:00.123999999Z', Date.UTC(2026, 2, 2, 9, 0, 0, 123)],
    ['1969-12-31T23:59:59.9999Z', -1],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2000-02-29T12:00:00Z', Date.UTC(2000, 1, 29, 12)],
    ['0099-01-01', -59042995200000],
    ['0000-01-01T00:00:00Z', -62167219200000],
    ['9999-12-31T23:59:59.999Z', 253402300799999],
  ])('%s', (text, ms) => {
    expect(parseInstant(text)).toBe(ms)
    expect(text).toMatch(pattern)
  })

  test.each([
    ...[
      '',
      'now',
      '2030',
      '2030-12',
      '2030-12-5',
      '30-12-05',
      '20301205',
      '+002030-12-05',
      '2030-12-05Z',
      ' 2030-12-05',
    ],
    ...['2030-12-05T', '2030-12-05T09Z', '2030-12-05T09:00Z', '2030-12-05T09:00:00', '2030-12-05 09:00:00Z'],
    ...['2030-12-05T9:00:00Z', '2030-12-05T09:00:00.Z', '2030-12-05T09:00:00,5Z', '2030-12-05T09:00:00Z\n'],
    ...[
      '2030-12-05T09:00:00+1:00',
      '2030-12-05T09:00:00+0100',
      '2030-12-05T09:00:00+01',
      '2030-12-05T09:00:00+24:00',
    ],
    ...[
      '2030-00-05',
      '2030-13-05',
      '2030-12-00',
      '2030-12-32',
      '2030-02-30',
      '2030-04-31',
      '2030-11-31',
      '٢٠٣٠-12-05',
    ],
    ...['2030-12-05T24:00:00Z', '2030-12-05T25:00:00Z', '2030-12-05T09:60:00Z', '2030-12-31T23:59:60Z'],
  ])('%j is none', text => {
    expect(parseInstant(text)).toBe(undefined)
    expect(text).not.toMatch(pattern)
  })

  test.each([
    ...['2030-02-29', '2100-02-29', '1900-02-29T00:00:00Z', '2027-02-29T23:00:00-05:00'],
    // In UTC, these are in the years 10000 and -1.
    ...['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+00:01'],
  ])('%s is none, though a pattern cannot tell', text => {
    expect(parseInstant(text)).toBe(undefined)
    expect(text).toMatch(pattern)
  })
})

describe('formatInstant', () => {
  test.each<[ms: number, text: string]>([
    [0, '1970-01-01T00:00:00Z'],
    [Date.UTC(2030, 11, 5), '2030-12-05T00:00:00Z'],
    [Date.UTC(2030, 11, 5) + 120, '2030-12-05T00:00:00.120Z'],
    [Date.UTC(2030, 11, 5) + 0.7, '2030-12-05T00:00:00Z'],
    [-0.3, '1969-12-31T23:59:59.999Z'],
  ])('%s', (ms, text) => {
    expect(formatInstant(ms)).toBe(text)
  })

  test('is read back as it was, in any year of four digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62167219200000, max: 253402300799999 }), ms => {
        const text = formatInstant(ms)
        expect(parseInstant(text)).toBe(ms)
        expect(text).toMatch(pattern)
      }),
    )
  })
})

test('the pattern fits what is read, but for 29 February', () => {
  const digits = (most: number) => fc.nat(most).map(value => `${value}`.padStart(2, '0'))
  // In the years 0 and 9999, an offset may lead out of what is read.
  const date = fc
    .tuple(fc.integer({ min: 1, max: 9998 }), digits(14), digits(33))
    .map(([year, month, day]) => {
      return `${`${year}`.padStart(4, '0')}-${month}-${day}`
    })
  const time = fc.tuple(digits(25), digits(61), digits(61)).map(parts => `T${parts.join(':')}`)
  const zone = fc.oneof(
    fc.constantFrom('Z', '', 'z'),
    fc.tuple(digits(25), digits(61)).map(([h, m]) => `+${h}:${m}`),
  )
  const text = fc.oneof(
    date,
    fc.tuple(date, time, fc.constantFrom('', '.', '.5', '.123456'), zone).map(all => all.join('')),
  )
  fc.assert(
    fc.property(text, instant => {
      if (!instant.slice(4).startsWith('-02-29'))
        expect(parseInstant(instant) !== undefined).toBe(pattern.test(instant))
    }),
    { numRuns: 10_000 },
  )
})
