import { expect, test } from 'vitest'
import { followRefs, resolveRef } from '../../../src/base/json/pointer.ts'

const document = {
  'a/b': { '~': [1, 'two'] },
  'c d': { $ref: '#/a~1b' },
  loop: { $ref: '#/loop' },
  away: { $ref: 'other.yaml#/a' },
  list: { $ref: '#/c%20d' },
}

test.each<[ref: string, found: unknown]>([
  ['#', document],
  ['#/a~1b/~0/1', 'two'],
  ['#/a~1b/~0/2', undefined],
  ['#/c%20d/$ref', '#/a~1b'],
  ['#/constructor', undefined],
  ['#/a~1b/~0/length/0', undefined],
  ['#a', undefined],
  ['#/%', undefined],
  ['other.yaml#/loop', undefined],
])('%s leads to %j', (ref, found) => {
  expect(resolveRef(document, ref)).toEqual(found)
})

test.each<[name: keyof typeof document, found: unknown]>([
  ['a/b', document['a/b']],
  ['list', document['a/b']],
  ['loop', undefined],
  ['away', undefined],
])('the references of %s lead to %j', (name, found) => {
  expect(followRefs(document, document[name])).toEqual(found)
})
