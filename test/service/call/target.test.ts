import { expect, it } from 'vitest'
import { createTargetReader, pathSegments, readQuery, readTarget } from '../../../src/service/call/target.ts'

it.each([
  ['/v1/pets?limit=5#?x', '/v1/pets', 'limit=5', undefined],
  ['/v1/pets?a?b', '/v1/pets', 'a?b', undefined],
  ['/v1/pets#x', '/v1/pets', '', undefined],
  ['?limit=5', '/', 'limit=5', undefined],
  ['', '/', '', undefined],
  ['*', '*', '', undefined],
  ['//evil.test/v1', '//evil.test/v1', '', undefined],
  ['/http://a.test/b', '/http://a.test/b', '', undefined],
  ['http://a.test', '/', '', 'a.test'],
  ['http://a.test?x', '/', 'x', 'a.test'],
  ['HTTPS://a.test:1/b/../c?x', '/b/../c', 'x', 'a.test:1'],
  ['a+b-c.d1://x/y/', '/y/', '', 'x'],
  ['1http://a.test/b', '1http://a.test/b', '', undefined],
  ['x http://a.test/b', 'x http://a.test/b', '', undefined],
])('the target %j has the path %j', (text, path, query, authority) => {
  expect(readTarget(text)).toEqual({ text, path, query, authority })
})

it('reads a target once while it is one of the last hundred, unless it is long', () => {
  const read = createTargetReader()
  const kept = `/${'a'.repeat(255)}`
  const [first, long] = [read(kept), read(`${kept}a`)]
  expect(first).toEqual(readTarget(kept))
  for (let other = 1; other < 100; other += 1) read(`/${other}`)
  expect([read(kept) === first, read(`${kept}a`) === long]).toEqual([true, false])
  read('/100')
  expect(read(kept)).not.toBe(first)
})

it.each([
  ['/v1/pets', ['v1', 'pets']],
  ['/v1/%70ets/a%2Fb', ['v1', 'pets', 'a/b']],
  ['/', ['']],
  ['/v1/%zz', undefined],
])('the segments of %s', (path, segments) => {
  expect(pathSegments(path)).toEqual(segments)
})

it.each([
  ['', []],
  ['&&', []],
  [
    'a=1&&b',
    [
      ['a', '1', 'a=1'],
      ['b', '', 'b'],
    ],
  ],
  ['=x', [['', 'x', '=x']]],
  ['a=b=c', [['a', 'b=c', 'a=b=c']]],
  ['a+b=c+d%2B', [['a b', 'c d+', 'a+b=c+d%2B']]],
  ['%6C=%zz', [['l', undefined, '%6C=%zz']]],
  ['%zz=1', [['%zz=1', '1', '%zz=1']]],
])('the query %j', (query, pairs) => {
  expect(readQuery(query).map(({ name, value, raw }) => [name, value, raw])).toEqual(pairs)
})
