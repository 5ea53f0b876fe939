import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { maskHeader } from '../../../src/judges/inspection/conceal.ts'
import { nearestThing } from '../../../src/judges/inspection/nearest.ts'
import { fly } from '../../support/flights.ts'
import { allowAt } from '../../support/methods.ts'

/** Shows how each value was masked: `<credential>`, `[secret]`, `(label)`. */
const mask = {
  isSecret: (name: string) => /secret|sid|token/i.test(name),
  isKnown: (value: string) => value === 'known-key',
  credential: (value: string) => `<${value}>`,
  mask: (value: string) => `[${value}]`,
  label: (value: string) => `(${value})`,
  mayHold: () => true,
}

test.each<[name: string, value: string, shown: string]>([
  ['Authorization', 'Bearer abc', 'Bearer <abc>'],
  ['Authorization', 'Bearer  a b', 'Bearer  <a b>'],
  ['authorization', 'abc', '<abc>'],
  ['Authorization', 'Bearer ', '<Bearer >'],
  ['Proxy-Authorization', 'Basic abc', 'Basic <abc>'],
  ['X-Authorization', 'plain', 'plain'],
  ['Cookie', 'sid=abc; theme=dark', 'sid=[abc]; theme=(dark)'],
  ['Cookie', 'a="quoted"; b= spaced ;c=', 'a="(quoted)"; b= (spaced) ;c='],
  [
    'Cookie',
    'long=0123456789abcdef; short=0123456789abcde',
    'long=[0123456789abcdef]; short=(0123456789abcde)',
  ],
  ['Cookie', 'noname', '(noname)'],
  ['Set-Cookie', 'sid=abc; Path=/; HttpOnly', 'sid=[abc]; Path=/; HttpOnly'],
  ['Set-Cookie2', 'sid=abc', 'sid=[abc]'],
  [
    'Set-Cookie',
    'a=1; Expires=Mon, 02 Mar 2026 09:00:00 GMT, b=2',
    'a=(1); Expires=Mon, 02 Mar 2026 09:00:00 GMT, b=(2)',
  ],
  ['X-Set-Cookie', 'plain', 'plain'],
  ['Set-Cookies', 'plain', 'plain'],
  ['X-Cookie', 'plain', 'plain'],
  ['X-Secret', 'abc', '<abc>'],
  ['X-Other', 'known-key', '<known-key>'],
  ['X-Other', 'plain', 'plain'],
])('%s: %s is shown as %s', (name, value, shown) => {
  expect(maskHeader(name, value, mask as Parameters<typeof maskHeader>[2])).toBe(shown)
})

describe('the nearest request that works', () => {
  function nearest(line: string, headers: readonly string[] = [], key: string | null = 'demo-free') {
    const seen: Exchange[] = []
    fly(
      {},
      ({ call }) => call(line, { headers, key }),
      exchange => seen.push(exchange),
    )
    return seen.flatMap(nearestThing)
  }
  const all = 'one of /v1/pets, /v1/pets/{petId}, /v1/store/orders'

  test.each<[line: string, what: string, expected: string]>([
    ['GET /v1/pets/', 'request', 'GET /v1/pets'],
    ['GET /v1//pets', 'request', 'GET /v1/pets'],
    ['GET /pets', 'request', 'GET /v1/pets'],
    ['GET /pets/7', 'request', 'GET /v1/pets/7'],
    ['GET /v2/pets', 'request', 'GET /v1/pets'],
    ['GET /base/v3/pets/7', 'request', 'GET /v1/pets/7'],
    ['GET /api/pets', 'request', 'GET /v1/pets'],
    ['GET /v1/Pets', 'request', 'GET /v1/pets'],
    ['GET /v1/pet', 'request', 'GET /v1/pets'],
    ['GET /v1/pet/7', 'request', 'GET /v1/pets/7'],
    ['GET /pet/7', 'request', 'GET /v1/pets/7'],
    ['GET /v1/stores/orders', 'request', 'GET /v1/store/orders'],
    ['PUT /v1/pet', 'request', 'POST /v1/pets'],
    ['HEAD /pets', 'request', 'GET /v1/pets'],
    ['POST /pets/7', 'request', 'GET /v1/pets/7'],
    ['GET /v1/somewhere/else', 'path', all],
  ])('to %s is', (line, what, expected) => {
    const asked = what === 'path' ? line.split(' ')[1] : line
    expect(nearest(line)).toEqual([{ what, asked, expected }])
  })

  test.each<[line: string, expected: string]>([
    ['PUT /v1/pets', `POST /v1/pets (of ${allowAt('/v1/pets')})`],
    ['DELETE /v1/pets/7', `GET /v1/pets/7 (of ${allowAt('/v1/pets/7')})`],
  ])('to the method of %s is', (line, expected) => {
    expect(nearest(line)).toEqual([{ what: 'request', asked: line, expected }])
  })

  test('to a call without a right key has one', () => {
    const expected = 'Bearer <API_KEY>'
    expect(nearest('GET /v1/pets', [], null)).toEqual([
      { what: 'Authorization', asked: expect.anything(), expected },
    ])
    expect(nearest('GET /v1/pets', [], 'nobody')).toEqual([
      { what: 'API key', asked: 'an unknown key', expected: 'a valid key' },
    ])
  })

  test('has the path of the API instead of the path on the server', () => {
    expect(nearest('GET /x/pets')).toEqual([
      { what: 'request', asked: 'GET /x/pets', expected: expect.stringMatching(/^GET \/v1\//) },
    ])
  })

  test('is only named for a refused call', () => {
    expect(nearest('GET /v1/pets')).toEqual([])
  })
})
