import { describe, expect, it } from 'vitest'
import { answerOptions } from '../../../src/emulator/replies/cors.ts'

const allow = 'GET, HEAD, POST, OPTIONS'
const asking = (method: string, names?: string) => [
  ...['Access-Control-Request-Method', method],
  ...(names === undefined ? [] : ['Access-Control-Request-Headers', names]),
]

it.each<[what: string, headers: readonly string[], isAllowed: boolean]>([
  ['a call that is no preflight', [], true],
  ['a page that is not allowed', asking('GET'), false],
])('%s learns the methods alone', (_, headers, isAllowed) => {
  const refusal = { what: 'Origin', asked: 'a', expected: 'b' }
  const { status, body, headers: sent, mismatches } = answerOptions(headers, allow, isAllowed, refusal)
  expect([status, body, sent]).toEqual([204, '', { Allow: allow }])
  expect(mismatches).toEqual(isAllowed ? undefined : [refusal])
})

it('a refusal without a reason has no mismatches', () => {
  expect(answerOptions(asking('GET'), allow, false, undefined).mismatches).toBeUndefined()
})

describe('an allowed page', () => {
  const long = (length: number) => `${'a'.repeat(length - 2)},b`
  const tooMany = (names: number, characters: number) => ({
    what: 'Access-Control-Request-Headers',
    asked: `${names} names of ${characters} characters`,
    expected: 'at most 64 names of 4096 characters in all',
  })
  const many = (count: number) => Array.from({ length: count }, (_, at) => `x-${at}`)
  it.each<[what: string, headers: readonly string[], allowed: string, mismatches?: object[]]>([
    ['no name', asking('GET'), 'Authorization, Content-Type, Prefer'],
    ['a method', asking('POST', 'a'), 'a'],
    ['64 names', asking('GET', many(64).join()), many(64).join(', ')],
    ['65 names', asking('GET', many(65).join()), many(64).join(', '), [tooMany(65, many(65).join().length)]],
    ['4 096 characters', asking('GET', long(4_096)), long(4_096).replace(',', ', ')],
    ['4 097 characters', asking('GET', long(4_097)), 'a'.repeat(4_095), [tooMany(2, 4_097)]],
    ['a name that may be half of one', asking('GET', `a,${'b'.repeat(4_096)}`), 'a', [tooMany(2, 4_098)]],
    [
      'another method',
      asking('PATCH', 'a'),
      'a',
      [
        {
          what: 'Access-Control-Request-Method',
          asked: 'PATCH',
          expected: `one of ${allow} (--openapi can add others)`,
        },
      ],
    ],
    ['two methods', [...asking('PATCH'), ...asking('PUT')], 'Authorization, Content-Type, Prefer'],
  ])('that asks for %s', (_, headers, allowed, mismatches) => {
    const answer = answerOptions(headers, allow, true, undefined)
    expect([answer.status, answer.body, answer.headers]).toEqual([
      204,
      '',
      {
        'Access-Control-Allow-Methods': allow,
        'Access-Control-Allow-Headers': allowed,
        'Access-Control-Max-Age': '600',
      },
    ])
    expect(answer.mismatches).toEqual(mismatches)
  })
})
