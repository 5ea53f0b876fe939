import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { maxFileBytes } from '../../../src/control/files/document.ts'
import { readTexts } from './read-texts.ts'

const bomb = `x0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, n) => `x${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join('\n')}`

/** A file that is meant to harm, and the complaint that it comes to. */
const hostile: readonly (readonly [string, string, string])[] = [
  ['a bomb of aliases', bomb, '4:30: the aliases up to here expand to more than 10,000 values'],
  [
    'a bomb of aliases to a long text',
    `rules:\n  - then: { status: 500, body: [&a ${'z'.repeat(500_000)}, ${'*a, '.repeat(20_000)}] }`,
    'the aliases up to here expand to more than 10,000 values',
  ],
  [
    'a number of a million digits',
    `pets: { firstId: ${'9'.repeat(1_000_000)} }`,
    '1:18: a number has more than 400 digits',
  ],
  [
    'the same in JSON',
    `{"pets":{"firstId":-${'9'.repeat(1_000_000)}}}`,
    '1:20: a number has more than 400 digits',
  ],
  ['10 MB', 'title: x\n'.repeat(1_200_000), '1:1: the file is larger than 1 MiB, the limit'],
  [
    'itself as its base',
    'extends: f.yaml',
    '1:10: extends: scenarios extend each other in a circle: f.yaml -> f.yaml',
  ],
  ['tabs', 'pets:\n\tcount: 1', '2:1: this line is indented with a tab: use spaces'],
  ['a field given twice', 'seed: 1\nseed: 2', '2:1: the field "seed" is given twice'],
  ['__proto__', 'pets: { __proto__: { count: 1 } }', '1:9: a field cannot be named __proto__'],
  ['constructor', 'constructor: 1', '1:1: constructor: unknown field; known are $schema, '],
  [
    'constructor, as a key',
    'keys: { constructor: {} }',
    '1:22: keys.constructor: plan is missing: expected one of ',
  ],
  ['commas', `[${','.repeat(99_000)}`, '1:1: this [ is never closed'],
  ['many open brackets', 'a: [1\nb: {\n'.repeat(4_000), ' is never closed'],
  ['many open lists', '- [1\n- x\n'.repeat(4_000), '1:3: this [ is never closed'],
  ['brackets', '['.repeat(90_000), 'maps and lists are nested more than 64 deep'],
  ['too many commas', `[${','.repeat(249_000)}`, ':1:100000: the file has more than 100,000 tokens'],
  [
    'empty steps',
    `walkthrough: [${'{},'.repeat(30_000)}]`,
    '1:15: walkthrough[0]: call is missing: expected ',
  ],
  [
    'a name of a megabyte',
    `? ${'x'.repeat(maxFileBytes - 10)}\n: 1`,
    '1:3: ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"]: unknown field; known are ',
  ],
  ['a deep nest', `pets: ${'['.repeat(100)}`, 'maps and lists are nested more than 64 deep'],
  ['a scenario in a walkthrough in a scenario …', nested(17), 'maps and lists are nested more than 64 deep'],
]

function nested(depth: number): string {
  return depth === 0
    ? '{}'
    : `{ walkthrough: [{ change: { do: useScenario, scenario: ${nested(depth - 1)} } }] }`
}

test.each(hostile)('%s', async (_name, text, complaint) => {
  const reading = await readTexts({ 'f.yaml': text })
  const complaints = reading.ok ? [] : reading.complaints.map(formatComplaint)
  expect(complaints[0]).toContain(complaint)
  expect(complaints[0]?.length).toBeLessThan(500)
})

test('a file with many mistakes: the first hundred are listed, and the rest counted', async () => {
  const reading = await readTexts({ 'f.yaml': `walkthrough:\n${'  - {}\n'.repeat(500)}` })
  const complaints = reading.ok ? [] : reading.complaints.map(formatComplaint)
  expect(complaints).toHaveLength(101)
  expect(complaints.at(-1)).toBe('f.yaml:101:5: and 400 more mistakes in this file')
})
