import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { readDocument } from '../../../src/control/files/document.ts'

async function complaints(text: string): Promise<readonly string[]> {
  const reading = await readDocument('f.yaml', text)
  return reading.ok ? [] : reading.complaints.map(formatComplaint)
}

const bomb = `a: &a [${'x,'.repeat(9)}]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`).join('\n')}`

const broken: readonly (readonly [string, string, ...string[]])[] = [
  ['a tab as indent', 'a:\n\tb: 1', 'f.yaml:2:1: this line is indented with a tab: use spaces'],
  ['a field given twice', 'a: 1\nb: 2\na: 3', 'f.yaml:3:1: the field "a" is given twice'],
  ['a field given twice, in JSON', '{\n\t"a": 1,\n\t"a": 2\n}', 'f.yaml:3:2: the field "a" is given twice'],
  ['__proto__', 'a:\n  __proto__: { x: 1 }', 'f.yaml:2:3: a field cannot be named __proto__'],
  ['a bomb of aliases', bomb, 'f.yaml:4:23: the aliases up to here expand to more than 10,000 values'],
  ['an alias of itself', 'a: &a [*a]', 'f.yaml:1:8: the alias *a contains itself'],
  ['an unknown alias', 'a: *b', 'f.yaml:1:4: unknown alias: define the anchor &b above it'],
  [
    'an unknown alias with a long name',
    `a: *${'b'.repeat(20_000)}`,
    `f.yaml:1:4: unknown alias: define the anchor &${'b'.repeat(79)}… above it`,
  ],
  [
    'a text in lines with a long header',
    `a: >${'9'.repeat(20_000)}`,
    `f.yaml:1:6: block scalar header includes extra characters: >${'9'.repeat(151)}…`,
  ],
  ['an open list', 'a: [1, 2', 'f.yaml:1:4: this [ is never closed'],
  ['an open list above other lines', 'a: 1\nb:\n  c: [1,\n     [2]\n', 'f.yaml:3:6: this [ is never closed'],
  ['an open map in a closed list', 'a: [{ b: 1]', 'f.yaml:1:5: this { is never closed'],
  [
    'a colon without a name',
    'a:\n  bad: : y',
    'f.yaml:2:8: a second ":" on this line: start a new line, or put the text in quotes',
  ],
  ['an open text', 'a: "x', 'f.yaml:1:4: this quote is never closed'],
  [
    'an open text, and fields after it',
    'title: "unclosed\nextends: free-plan\n',
    'f.yaml:1:8: this quote is never closed',
  ],
  ['an open text in a list', "a: 'b'\nc: [ 'd ]\n", 'f.yaml:2:6: this quote is never closed'],
  [
    'a field indented too far',
    'title: A\n  extends: free-plan',
    'f.yaml:2:3: this line is indented too far: YAML reads it as part of the line above',
  ],
  [
    'a field indented too far, some lines below',
    'a:\n  b: 1\n   c\r\n   d: 2\n',
    'f.yaml:4:4: this line is indented too far: YAML reads it as part of the line above',
  ],
  [
    'a colon in plain text',
    'title: Ban: 5 min',
    'f.yaml:1:8: a second ":" on this line: start a new line, or put the text in quotes',
  ],
  ['a name without a colon', 'title\nkey: x', 'f.yaml:1:1: expected "name: value", but there is no ":"'],
  ['an empty text', '', 'f.yaml:1:1: the file is empty'],
  ['white space', ' \n\t\r\n', 'f.yaml:1:1: the file is empty'],
  ['two documents', 'a: 1\n---\nb: 2', 'f.yaml:2:1: a file holds one document, but a second one begins here'],
  ['a tag', 'a: !env HOME', 'f.yaml:1:4: tags such as !this are not supported: remove it'],
  ['not a number', 'seed: .nan', 'f.yaml:1:7: NaN is not a JSON value'],
  [
    'a number above the largest float',
    'seed: 1e999',
    'f.yaml:1:7: the number 1e999 is too large: the largest is about 1.8e308',
  ],
  [
    'a merge key',
    'a: &a { b: 1 }\nc:\n  <<: *a\n  d: 1',
    'f.yaml:3:3: merging with << is not supported: repeat the fields, or extend another scenario',
  ],
  ['a list as a name', '? [a]\n: 1', 'f.yaml:1:3: the name of a field must be text, not a list or a map'],
  [
    'lists 65 deep',
    `${'['.repeat(65)}${']'.repeat(65)}`,
    'f.yaml:1:66: maps and lists are nested more than 64 deep',
  ],
  [
    'more than twenty brackets that nothing opened: what follows is not read',
    `a: 1\n${']\n'.repeat(25)}---\nb: 2`,
    ...Array.from(
      { length: 20 },
      (_, n) => `f.yaml:${n + 2}:1: unexpected flow-seq-end token in YAML stream: "]"`,
    ),
  ],
  ['more than 1 MiB', 'é'.repeat(2 ** 19 + 1), 'f.yaml:1:1: the file is larger than 1 MiB, the limit'],
]

test.each(broken)('%s', async (_name, text, ...expected) => {
  expect(await complaints(text)).toEqual(expected)
})

test.each([
  ['{title:"x",}', '1:2: not valid JSON: unexpected "t"; put names and texts in double quotes'],
  ["{ 'title': 'x' }", '1:3: not valid JSON: unexpected "\'"; put names and texts in double quotes'],
  ['{ "title": "x", }', '1:17: not valid JSON: unexpected "}"; remove the comma after the last item'],
  ['{\n  // mine\n  "seed": 7\n}', '2:3: not valid JSON: unexpected "/"; JSON has no comments'],
  ['{ "seed": 7', '1:12: not valid JSON: the text ends inside an object'],
  ['{ "seed": 07 }', '1:12: not valid JSON: unexpected "7"'],
  ['title: x', '1:1: not valid JSON: unexpected "t"'],
  ['{ "seed": 7 } { "seed": 8 }', '1:15: not valid JSON: unexpected "{"'],
  ['{ "seed": 1, "seed": 2 }', '1:14: the field "seed" is given twice'],
  ['{ "seed": 1e999 }', '1:11: the number 1e999 is too large: the largest is about 1.8e308'],
])('a .json file is checked as JSON: %s', async (text, expected) => {
  for (const file of ['f.json', 'F.JSON']) {
    const reading = await readDocument(file, text)
    expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([`${file}:${expected}`])
  }
})

test('JSON has the same value in a .json file and in a .yaml file', async () => {
  const text = '{\n\t"<<": [9007199254740993, -0.5, "\\ud83d\\ude00\\/"],\n\t"a" :null\n}'
  const [json, yaml] = await Promise.all(['f.json', 'f.yaml'].map(file => readDocument(file, text)))
  if (json?.ok !== true || yaml?.ok !== true) throw new Error('must be read')
  expect(json.value.value).toEqual({ '<<': [9007199254740993n, -0.5, '😀/'], a: null })
  expect(yaml.value.value).toEqual(json.value.value)
})

test('a JSON file with too many tokens for places is read, and all of it has the place of its start', async () => {
  const reading = await readDocument('f.json', `{\n"a": [${'1,'.repeat(60_000)}1]\n}`)
  if (!reading.ok) throw new Error('must be read')
  expect(reading.value.locate(['a', 3], 'value')).toEqual({ line: 1, column: 1 })
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

test('booleans and dates of YAML 1.1 are text, and every name is text', async () => {
  const reading = await readDocument('f.yaml', '{ a: yes, b: off, c: 2026-03-02T09:00:00Z, 404: true }')
  expect(reading).toMatchObject({
    value: { value: { a: 'yes', b: 'off', c: '2026-03-02T09:00:00Z', '404': true } },
  })
})

test('an alias has the value of its anchor, and its fields have the place of the anchor', async () => {
  const reading = await readDocument('f.yaml', 'a: &q { minute: 5 }\nb: *q')
  if (!reading.ok) throw new Error('must be read')
  expect(reading.value.value).toEqual({ a: { minute: 5 }, b: { minute: 5 } })
  expect(reading.value.locate(['b', 'minute'], 'value')).toEqual({ line: 1, column: 17 })
  expect(reading.value.locate(['b'], 'key')).toEqual({ line: 2, column: 1 })
})
