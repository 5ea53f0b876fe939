import { expect, it } from 'vitest'
import { type Found, listEntries, longestEntry } from '../../../src/judges/exchanges/list-entries.ts'

function read(text: string, path: readonly string[] = ['log', 'entries']) {
  const found: Found = { isList: false, isWhole: false }
  const entries = [...listEntries(new TextEncoder().encode(text), path, found)]
  return { ...found, entries }
}

const log = (list: string) => `{"log":{"entries":${list}}}`

it.each<[about: string, text: string, entries: readonly string[]]>([
  ['no entries', log('[]'), []],
  ['one', log('[{"a":1}]'), ['{"a":1}']],
  ['several, with all kinds of space', log('[ {},\t{} ,\r\n[ ] ]'), ['{}', '{}', '[ ]']],
  [
    'values that are no objects',
    log('[1,"a,b",true,[2,[3]],null]'),
    ['1', '"a,b"', 'true', '[2,[3]]', 'null'],
  ],
  ['signs in a text', log('[{"a":"]}, {["},{"b":2}]'), ['{"a":"]}, {["}', '{"b":2}']],
  [
    'quotes in a text',
    log('[{"a":"\\"}"},{"a":"\\\\"},{"a":"\\\\\\"]"}]'),
    ['{"a":"\\"}"}', '{"a":"\\\\"}', '{"a":"\\\\\\"]"}'],
  ],
  ['a broken entry', log('[{"a" "b"},{"c":3}]'), ['{"a" "b"}', '{"c":3}']],
  ['an archive with a byte order mark', `\ufeff${log('[{}]')}`, ['{}']],
  ['space around everything', ' { "log" : { "entries" : [ {} ] } }', ['{}']],
  [
    'fields before the list',
    '{"a":[1,"]"],"log":{"b":{"entries":[1]},"c":"x","d":7,"entries":[{}]}}',
    ['{}'],
  ],
  [
    'names that only look like it',
    '{"Log":1,"logs":2,"log":{"entry":[1],"entriez":[2],"entries":[3]}}',
    ['3'],
  ],
])('finds the entries: %s', (_about, text, entries) => {
  expect(read(text)).toEqual({ isList: true, isWhole: true, entries })
})

it.each<[about: string, text: string, entries: readonly string[]]>([
  ['after the bracket', '{"log":{"entries":[', []],
  ['in an entry', '{"log":{"entries":[{"a":1},{"b"', ['{"a":1}']],
  ['in a text', '{"log":{"entries":[{"a":1},{"b":"}]', ['{"a":1}']],
  ['after a text', '{"log":{"entries":[{"a":1},{"b":"c"', ['{"a":1}']],
  ['after a comma', '{"log":{"entries":[{"a":1},', ['{"a":1}']],
  ['by the wrong bracket', '{"log":{"entries":[{"a":1}}}', ['{"a":1}']],
  ['in a number', '{"log":{"entries":[{"a":1},12', ['{"a":1}']],
])('an archive that is cut off is not whole: %s', (_about, text, entries) => {
  expect(read(text)).toEqual({ isList: true, isWhole: false, entries })
})

it.each([
  '',
  'hello',
  '[]',
  '[{"log":{"entries":[]}}]',
  '{}',
  '{"log":[]}',
  '{"log":{"entries":{}}}',
  '{"log":{"entries":"[]"}}',
  '{"log":{"entries"}}',
  '{"log":{"entries":',
  '{"log" {"entries":[]}}',
  '{"log"={"entries":[]}}',
  '{"log":{"a":1 "entries":[]}}',
  '{"log":{"a":1',
  '{"log":{"a',
  '{"log":{"a":"b',
  '{log:{"entries":[]}}',
  '{"entries":[]}',
])('is no archive: %s', text => {
  expect(read(text)).toEqual({ isList: false, isWhole: false, entries: [] })
})

it('finds a list at another path', () => {
  expect(read('{"requests":[1,2]}', ['requests'])).toEqual({
    isList: true,
    isWhole: true,
    entries: ['1', '2'],
  })
})

it('has no text of an entry above 1 MiB, and goes on behind it', () => {
  const long = (length: number) => `"${'x'.repeat(length - 2)}"`
  const { entries } = read(log(`[${long(longestEntry)},${long(longestEntry + 1)},2]`))
  expect(entries.map(text => text?.length)).toEqual([2 ** 20, undefined, 1])
})
