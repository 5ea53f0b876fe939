import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { readDocument } from '../../../src/control/files/document.ts'

async function complaints(text: string): Promise<readonly string[]> {
  const reading = await readDocument('f.yaml', text)
  return reading.ok ? [] : reading.complaints.map(formatComplaint)
}

const bomb = `a: &a [${'x,'.repeat(9)}]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`).join('\n')}`

const broken: readonly (readonly [string, string, ...string[]])[] = [
  ['a tab as indent', 'a:\n\tb: 1', 'f.yaml:2:1: YAML is indented with spaces, and here is a tab'],
  ['a field given twice', 'a: 1\nb: 2\na: 3', 'f.yaml:3:1: the field "a" is given twice'],
  ['a field given twice, in JSON', '{\n\t"a": 1,\n\t"a": 2\n}', 'f.yaml:3:2: the field "a" is given twice'],
  ['__proto__', 'a:\n  __proto__: { x: 1 }', 'f.yaml:2:3: __proto__ cannot be the name of a field'],
  ['a bomb of aliases', bomb, 'f.yaml:4:23: the aliases up to here stand for more than 10000 values'],
  ['an alias of itself', 'a: &a [*a]', 'f.yaml:1:8: the alias *a stands inside of what it stands for'],
  ['an alias of nothing', 'a: *b', 'f.yaml:1:4: no anchor &b stands before this alias'],
  ['an open list', 'a: [1, 2', 'f.yaml:1:9: the closing ] is missing'],
  ['an open text', 'a: "x', 'f.yaml:1:4: the quote that is opened here is never closed'],
  [
    'an open text, and fields after it',
    'title: "unclosed\nextends: free-plan\n',
    'f.yaml:1:8: the quote that is opened here is never closed',
  ],
  [
    'an open text in a list',
    "a: 'b'\nc: [ 'd ]\n",
    'f.yaml:2:6: the quote that is opened here is never closed',
  ],
  [
    'a field indented too far',
    'title: A\n  extends: free-plan',
    'f.yaml:2:3: this line is indented too far: it goes on with the text of the line above',
  ],
  [
    'a field indented too far, some lines below',
    'a:\n  b: 1\n   c\r\n   d: 2\n',
    'f.yaml:4:4: this line is indented too far: it goes on with the text of the line above',
  ],
  [
    'a colon in plain text',
    'title: Ban: 5 min',
    'f.yaml:1:8: a second "name:" on one line: put it on a line of its own, or the text into quotes',
  ],
  ['a name without a colon', 'title\nkey: x', 'f.yaml:1:1: expected "name: value", and the ":" is missing'],
  ['nothing', '', 'f.yaml:1:1: the file is empty'],
  ['white space', ' \n\t\r\n', 'f.yaml:1:1: the file is empty'],
  ['two documents', 'a: 1\n---\nb: 2', 'f.yaml:2:1: a file holds one document, and here a second begins'],
  ['a tag', 'a: !env HOME', 'f.yaml:1:4: tags such as !this are not read here'],
  ['not a number', 'seed: .nan', 'f.yaml:1:7: NaN is not a value that JSON has'],
  [
    'a number beyond all',
    'seed: 1e999',
    'f.yaml:1:7: the number 1e999 is too large: the largest is about 1.8e308',
  ],
  [
    'a merge',
    'a: &a { b: 1 }\nc:\n  <<: *a\n  d: 1',
    'f.yaml:3:3: maps are not merged by << here: write the fields out, or let the scenario extend another',
  ],
  ['a list as a name', '? [a]\n: 1', 'f.yaml:1:3: the name of a field is text, not a list or a map'],
  [
    'lists 65 deep',
    `${'['.repeat(65)}${']'.repeat(65)}`,
    'f.yaml:1:66: maps and lists are nested more than 64 deep',
  ],
  [
    'more than 1 MiB',
    'é'.repeat(2 ** 19 + 1),
    'f.yaml:1:1: the file is larger than 1 MiB, the most that is read',
  ],
]

test.each(broken)('%s', async (_name, text, ...expected) => {
  expect(await complaints(text)).toEqual(expected)
})

test.each([
  ['{title:"x",}', '1:2: unexpected "t": this is not JSON, where names and texts stand in double quotes'],
  [
    "{ 'title': 'x' }",
    '1:3: unexpected "\'": this is not JSON, where names and texts stand in double quotes',
  ],
  ['{ "title": "x", }', '1:17: unexpected "}": this is not JSON, where no comma follows the last item'],
  ['{\n  // mine\n  "seed": 7\n}', '2:3: unexpected "/": this is not JSON, which has no comments'],
  ['{ "seed": 7', '1:12: the text ends inside an object: this is not JSON'],
  ['{ "seed": 07 }', '1:12: unexpected "7": this is not JSON'],
  ['title: x', '1:1: unexpected "t": this is not JSON'],
  ['{ "seed": 7 } { "seed": 8 }', '1:15: unexpected "{": this is not JSON'],
  ['{ "seed": 1, "seed": 2 }', '1:14: the field "seed" is given twice'],
  ['{ "seed": 1e999 }', '1:11: the number 1e999 is too large: the largest is about 1.8e308'],
])('a file of JSON, in the words of JSON: %s', async (text, expected) => {
  for (const file of ['f.json', 'F.JSON']) {
    const reading = await readDocument(file, text)
    expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([`${file}:${expected}`])
  }
})

test('a file of JSON is read as the same text in a file of YAML', async () => {
  const text = '{\n\t"<<": [9007199254740993, -0.5, "\\ud83d\\ude00\\/"],\n\t"a" :null\n}'
  const [json, yaml] = await Promise.all(['f.json', 'f.yaml'].map(file => readDocument(file, text)))
  if (json?.ok !== true || yaml?.ok !== true) throw new Error('must be read')
  expect(json.value.value).toEqual({ '<<': [9007199254740993n, -0.5, '😀/'], a: null })
  expect(yaml.value.value).toEqual(json.value.value)
})

test.each([
  ['brackets', '['],
  ['closing brackets', ']'],
  ['braces', '{a: '],
  ['dashes', '- '],
  ['question marks', '? '],
  ['anchors', '&a '],
  ['commas in a list', '[,,,,,,,,,,,'],
  ['directives', '%A\n'],
  ['aliases', '- &a [*a]\n'],
])('a megabyte of %s is a complaint', async (_name, text) => {
  expect(await complaints(text.repeat(2 ** 20 / text.length))).not.toEqual([])
})

test('integers are exact: numbers up to 2^53, bigints beyond', async () => {
  const reading = await readDocument(
    'f.yaml',
    '[9007199254740991, 9007199254740993, -9223372036854775808, 0x10, 1.5, 012]',
  )
  expect(reading).toMatchObject({
    value: { value: [9007199254740991, 9007199254740993n, -(2n ** 63n), 16, 1.5, 12] },
  })
})

test('what YAML 1.1 took for booleans and dates is text, and so is every name', async () => {
  const reading = await readDocument('f.yaml', '{ a: yes, b: off, c: 2026-03-02T09:00:00Z, 404: true }')
  expect(reading).toMatchObject({
    value: { value: { a: 'yes', b: 'off', c: '2026-03-02T09:00:00Z', '404': true } },
  })
})

test('an anchor is read wherever its alias stands, and located where it is written', async () => {
  const reading = await readDocument('f.yaml', 'a: &q { minute: 5 }\nb: *q')
  if (!reading.ok) throw new Error('must be read')
  expect(reading.value.value).toEqual({ a: { minute: 5 }, b: { minute: 5 } })
  expect(reading.value.locate(['b', 'minute'], 'value')).toEqual({ line: 1, column: 17 })
  expect(reading.value.locate(['b'], 'key')).toEqual({ line: 2, column: 1 })
})
