import { expect, test } from 'vitest'
import { maxDepth, readJson } from '../../../src/base/json/read.ts'

test.each<[text: string, value: unknown]>([
  ['null', null],
  [' \t\r\n true \n', true],
  ['false', false],
  ['""', ''],
  ['"Rex"', 'Rex'],
  ['[]', []],
  ['[ ]', []],
  ['{}', {}],
  ['{ }', {}],
  ['[1, "two", [3], {"four": 5}]', [1, 'two', [3], { four: 5 }]],
  ['{"name":"Rex","categoryId":3}', { name: 'Rex', categoryId: 3 }],
  ['{"a":1,"a":2}', { a: 2 }],
  ['{"":0}', { '': 0 }],
  ['{"\\u0061":1}', { a: 1 }],
  [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
  [String.raw`"\u00e9\u00E9"`, 'éé'],
  [String.raw`"\ud83d\udc36"`, '🐶'],
  [String.raw`"half a pair: \ud83d"`, 'half a pair: \ud83d'],
  ['"\u2028\u007f"', '\u2028\u007f'],
])('%s is read', (text, value) => {
  expect(readJson(text)).toEqual({ value })
})

test.each<[text: string, problem: string]>([
  ['', 'the text is empty'],
  [' \n', 'the text is empty'],
  ['{"a": 1,}', 'unexpected "}" at line 1, column 9'],
  ['[1,]', 'unexpected "]" at line 1, column 4'],
  ['[1 2]', 'unexpected "2" at line 1, column 4'],
  ['[,]', 'unexpected "," at line 1, column 2'],
  ['{"a" 1}', 'unexpected "1" at line 1, column 6'],
  ['{a: 1}', 'unexpected "a" at line 1, column 2'],
  ["{'a': 1}", 'unexpected "\'" at line 1, column 2'],
  ['{"a":"b""c"}', String.raw`unexpected "\"" at line 1, column 9`],
  ['{\n  "a": 1,\r\n  "b": x\n}', 'unexpected "x" at line 3, column 8'],
  ['[\r\r}', 'unexpected "}" at line 3, column 1'],
  ['1 2', 'unexpected "2" at line 1, column 3'],
  ['True', 'unexpected "T" at line 1, column 1'],
  ['nul', 'unexpected "n" at line 1, column 1'],
  ['truth', 'unexpected "t" at line 1, column 1'],
  ['01', 'unexpected "1" at line 1, column 2'],
  ['-01', 'unexpected "1" at line 1, column 3'],
  ['+1', 'unexpected "+" at line 1, column 1'],
  ['.5', 'unexpected "." at line 1, column 1'],
  ['1.x', 'unexpected "x" at line 1, column 3'],
  ['0x10', 'unexpected "x" at line 1, column 2'],
  ['-Infinity', 'unexpected "I" at line 1, column 2'],
  ['"a\nb"', String.raw`unexpected "\n" at line 1, column 3`],
  [String.raw`"\x"`, 'unexpected "x" at line 1, column 3'],
  [String.raw`"\u12g4"`, 'unexpected "g" at line 1, column 6'],
  ['\ufeff{}', 'unexpected U+FEFF at line 1, column 1'],
  ['[\u00a01]', 'unexpected U+00A0 at line 1, column 2'],
  ['[🐶]', 'unexpected "🐶" at line 1, column 2'],
  ['"Rex', 'the text ends inside a string'],
  ['"Rex\\', 'the text ends inside a string'],
  [String.raw`"\u12`, 'the text ends inside a string'],
  ['{', 'the text ends inside an object'],
  ['{"a"', 'the text ends inside an object'],
  ['{"a":', 'the text ends inside an object'],
  ['{"a":1', 'the text ends inside an object'],
  ['{"a":1,', 'the text ends inside an object'],
  ['[', 'the text ends inside an array'],
  ['[1', 'the text ends inside an array'],
  ['[1, ', 'the text ends inside an array'],
  ['[[1]', 'the text ends inside an array'],
  ['-', 'the text ends inside a number'],
  ['1.', 'the text ends inside a number'],
  ['1e', 'the text ends inside a number'],
  ['1e+', 'the text ends inside a number'],
])('%j is refused', (text, problem) => {
  expect(readJson(text)).toEqual({ problem })
})

test('a name is a name, __proto__ and constructor too', () => {
  const read = readJson('{"__proto__":{"admin":true},"a":1}')
  if (!('value' in read)) throw new Error(read.problem)
  const object = read.value as Record<string, unknown>
  expect(Object.getPrototypeOf(object)).toBe(null)
  expect(Object.keys(object)).toEqual(['__proto__', 'a'])
  expect('constructor' in object || 'admin' in object).toBe(false)
})

test.each([
  ['[', ']', maxDepth],
  ['{"a":', '}', maxDepth],
  ['[{"a":', '}]', maxDepth / 2],
])('%s is read to a depth of 64', (open, close, most) => {
  const nested = (times: number) => readJson(`${open.repeat(times)}1${close.repeat(times)}`)
  expect(nested(most)).toHaveProperty('value')
  expect(nested(most + 1)).toEqual({ problem: 'nested deeper than 64 levels' })
  expect(nested(200_000)).toEqual({ problem: 'nested deeper than 64 levels' })
})

test('siblings are no depth', () => {
  expect(readJson(`[${'[[]],'.repeat(1000)}[]]`)).toHaveProperty('value')
})

test('strings of a long text are read alike', () => {
  const pet = {
    name: 'Rex',
    about: 'a dog of quite some age\n',
    more: 'x'.repeat(2000),
    last: 'and nothing else',
  }
  expect(readJson(JSON.stringify(pet))).toEqual({ value: pet })
})
