import { describe, expect, it } from 'vitest'
import { encodeOnce, reply } from '../../../src/service/call/answer.ts'
import {
  headerValue,
  linesOf,
  pairsOf,
  redirectReason,
  redirectTarget,
  repeated,
  replyHeader,
} from '../../../src/service/call/headers.ts'
import { hasLink, nextLink } from '../../../src/service/call/link.ts'

it.each<[readonly string[], string | typeof repeated | undefined]>([
  [[], undefined],
  [['Accept', 'a'], 'a'],
  [['accept', 'a'], 'a'],
  [['expect', 'b', 'aCCept', 'a'], 'a'],
  [['a', 'accept', 'b', 'c'], undefined],
  [['accept-x', 'b'], undefined],
  [['accept', 'a', 'Accept', 'a'], repeated],
])('the header accept in %j', (headers, value) => {
  expect(headerValue(headers, 'accept')).toBe(value)
})

it.each<[readonly string[], readonly string[]]>([
  [[], []],
  [
    ['Accept', 'a', 'b', 'accept', 'accept-x', 'c', 'ACCEPT', 'd'],
    ['a', 'd'],
  ],
  [['accept'], ['']],
])('the lines of the header accept in %j', (headers, lines) => {
  expect(linesOf(headers, 'accept')).toEqual(lines)
})

it('headers as pairs', () => {
  expect(pairsOf(['A', '1', 'b', '2', 'c'])).toEqual([
    ['A', '1'],
    ['b', '2'],
    ['c', ''],
  ])
})

it.each<[headers: Readonly<Record<string, string>>, value: string | undefined]>([
  [{}, undefined],
  [{ link: 'a' }, 'a'],
  [{ Date: 'b', LINK: 'a' }, 'a'],
  [{ Date: 'b', Links: 'b', Lin: 'b' }, undefined],
])('the header link of a reply with %j', (headers, value) => {
  expect(replyHeader({ headers }, 'link')).toBe(value)
})

it.each<[status: number, headers: Readonly<Record<string, string>>, target: string | undefined]>([
  [200, { location: '/a' }, undefined],
  [299, { location: '/a' }, undefined],
  [300, { location: '/a' }, '/a'],
  [308, { location: '/a' }, '/a'],
  [399, { location: '/a' }, '/a'],
  [400, { location: '/a' }, undefined],
  [500, { location: '/a' }, undefined],
  [302, { link: '/a' }, undefined],
])('a response with %i and %j leads to %s', (status, headers, target) => {
  expect(redirectTarget(status, headers)).toBe(target)
})

it('a redirected call is not judged, and the reason says where it was sent', () => {
  expect(redirectReason('https://other.test/v1')).toBe('the service redirects it to https://other.test/v1')
})

describe('Link', () => {
  it.each([
    ['</a>; rel="next"', '/a'],
    ['</a>; rel=next', '/a'],
    ['</a>;rel=NEXT', '/a'],
    ['</a> ; title="x" ; REL = "prev  next"', '/a'],
    ['</a>; crossorigin; rel=next', '/a'],
    ['</a>; title="a\\"; rel=next"; rel=prev', undefined],
    ['</a>; title=", <b>; rel=next"', undefined],
    ['</a>; title=next', undefined],
    ['</a>; rel=prev; rel=next', undefined],
    ['</a>; rel=prev, </b>; rel=next', '/b'],
    ['</a>, </b>; rel=next', '/b'],
    ['</a>x; rel=next', undefined],
    ['</a; rel=next', undefined],
    ['<>; rel=next', ''],
    ['rel=next', undefined],
    ['rel=next, </b>; rel=next', '/b'],
    ['<>', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the next page in %s is %s', (header, target) => {
    expect(nextLink(header)).toBe(target)
    expect(hasLink(header, 'next')).toBe(target !== undefined)
  })

  it('has one of several', () => {
    const header = '</a>; rel=prev, </b>; rel=next'
    expect(['prev', 'next', 'last', ''].map(rel => hasLink(header, rel))).toEqual([true, true, false, false])
  })
})

it.each([
  ['{"a":1}', 7, '{"a":1}', '{"a":1}'],
  ['é', 2, undefined, '\u00c3\u00a9'],
])('the answer %s has %i bytes', (body, length, octets, encoded) => {
  const answer = reply(200, body)
  expect(answer).toMatchObject({ length, octets })
  expect(encodeOnce(answer)).toEqual({ ...answer, octets: encoded })
  expect(encodeOnce({ ...answer, octets: 'known' }).octets).toBe('known')
})
