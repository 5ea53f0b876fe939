import { describe, expect, it } from 'vitest'
import { readPreferences } from '../../../src/service/call/prefer.ts'

const none = { code: undefined, success: undefined, example: undefined, delayMs: undefined, unmet: [] }
const notStatus = 'code must be a status from 400 to 599'
const notDelay = 'delay must be milliseconds, as a whole number up to 600000'
const notExample = 'example must name an example of the contract'

describe('Prefer', () => {
  it.each<[value: string, found: object]>([
    ['code=503', { code: 503 }],
    ['code=400', { code: 400 }],
    ['code=399', { success: 399 }],
    ['Code = "404" ; a=b', { code: 404 }],
    ['delay=600000', { delayMs: 600_000 }],
    ['delay="2\\50"', { delayMs: 250 }],
    ['example=a.b-c_d', { example: 'a.b-c_d' }],
    [`example=${'a'.repeat(60)}`, { example: 'a'.repeat(60) }],
    [' , ,code=503,', { code: 503 }],
    ['code=600', { unmet: [{ text: 'code=600', why: notStatus }] }],
    ['code=4040', { unmet: [{ text: 'code=4040', why: notStatus }] }],
    ['code=1404', { unmet: [{ text: 'code=1404', why: notStatus }] }],
    ['code', { unmet: [{ text: 'code', why: notStatus }] }],
    ['delay=600001', { unmet: [{ text: 'delay=600001', why: notDelay }] }],
    ['delay=1.5', { unmet: [{ text: 'delay=1.5', why: notDelay }] }],
    ['delay="1e3"', { unmet: [{ text: 'delay="1e3"', why: notDelay }] }],
    ['delay="+1"', { unmet: [{ text: 'delay="+1"', why: notDelay }] }],
    ['delay="1 "', { unmet: [{ text: 'delay="1 "', why: notDelay }] }],
    ['delay', { unmet: [{ text: 'delay', why: notDelay }] }],
    ['delay=00000001', { unmet: [{ text: 'delay=00000001', why: notDelay }] }],
    ['example="a b"', { unmet: [{ text: 'example="a b"', why: notExample }] }],
    ['example="a "', { unmet: [{ text: 'example="a "', why: notExample }] }],
    ['example=!a', { unmet: [{ text: 'example=!a', why: notExample }] }],
    ['example', { unmet: [{ text: 'example', why: notExample }] }],
    ['example=a"', { unmet: [{ text: 'example=a"', why: 'it is not a preference' }] }],
    ['code=503, code=404', { code: 503, unmet: [{ text: 'code=404', why: 'code was given before' }] }],
    [
      'code=1, code=404',
      {
        unmet: [
          { text: 'code=1', why: notStatus },
          { text: 'code=404', why: 'code was given before' },
        ],
      },
    ],
    ['?', { unmet: [{ text: '?', why: 'it is not a preference' }] }],
    [
      '?, ?',
      {
        unmet: [
          { text: '?', why: 'it is not a preference' },
          { text: '?', why: 'it is not a preference' },
        ],
      },
    ],
    ['wait=1', { unmet: [{ text: 'wait=1', why: 'pet-mock has no such preference' }] }],
    ['x="a,b"', { unmet: [{ text: 'x="a,b"', why: 'pet-mock has no such preference' }] }],
    [
      `x=${'a'.repeat(60)}`,
      { unmet: [{ text: `x=${'a'.repeat(57)}…`, why: 'pet-mock has no such preference' }] },
    ],
  ])('%s', (value, found) => {
    expect(readPreferences(['Prefer', value])).toEqual({ ...none, ...found })
  })

  it.each([[[]], [['Prefer', ' , ']], [['Preferx', 'code=503']], [['Accept', 'code=503']]])(
    'is not in %j',
    headers => {
      expect(readPreferences(headers)).toBeUndefined()
    },
  )

  it('is one list in several headers', () => {
    const headers = ['A', 'prefer', 'Prefer', 'code=503', 'B', 'b', 'prefer', 'delay=1']
    expect(readPreferences(headers)).toEqual({ ...none, code: 503, delayMs: 1 })
  })

  it('has at most five unmet items', () => {
    const all = readPreferences(['Prefer', 'a, b, c, d, e, f, code=503'])
    expect(all?.unmet.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(all?.code).toBe(503)
  })
})
