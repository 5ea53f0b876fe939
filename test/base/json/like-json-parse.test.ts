import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../../src/base/json/read.ts'
import type { JsonValue } from '../../../src/base/json/value.ts'

// JSON.parse is the judge of everything but depth; integers are compared as the floats that it makes of them.

test('any JSON is read as JSON.parse reads it', () => {
  const anyJson = fc.oneof(fc.json({ depthSize: 'medium' }), fc.json({ stringUnit: 'binary' }), indented())
  fc.assert(
    fc.property(anyJson, text => {
      expect(floats(read(text))).toStrictEqual(floats(JSON.parse(text)))
    }),
    { numRuns: 1000 },
  )
})

test('exactly the texts are refused that JSON.parse refuses', () => {
  fc.assert(fc.property(fc.oneof(mutated(), soup()), agreesOnSyntax), { numRuns: 20_000 })
})

test.each(everyCharacter())('what may stand at □ is what JSON.parse lets stand there', template => {
  for (let code = 0; code <= 0x100; code++)
    agreesOnSyntax(template.replace('□', () => String.fromCharCode(code)))
})

function agreesOnSyntax(text: string) {
  const result = readJson(text)
  if ('problem' in result) expect(result.problem).not.toBe('nested deeper than 64 levels')
  expect('value' in result, text).toBe(parses(text))
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function read(text: string): JsonValue {
  const result = readJson(text)
  if ('problem' in result) throw new Error(`${result.problem}: ${text}`)
  return result.value
}

/** JSON with ordinary prototypes, no bigints and no -0. A list of members, since `__proto__` is one too. */
function floats(value: JsonValue): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value) + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(floats)
  return { members: Object.entries(value).map(([name, member]) => [name, floats(member)]) }
}

function indented() {
  return fc.jsonValue().map(value => JSON.stringify(value, null, '\r\n\t '))
}

/** A valid text with a few characters taken out, put in or doubled. */
function mutated() {
  const bit = fc.constantFrom(
    ...'{}[]",:\\ \n\t\r0123456789.eE+-utrfalsn\u0000\u001f\u007f\u00a0\ufeff\ud800é/',
  )
  const edit = fc.tuple(fc.nat(), fc.nat(2), fc.oneof(bit, fc.constant('')))
  const valid = fc.oneof(fc.json(), fc.json({ stringUnit: 'binary' }), indented(), fc.double().map(String))
  return fc.tuple(valid, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((whole, [place, removed, added]) => {
      const at = place % (whole.length + 1)
      return whole.slice(0, at) + added + whole.slice(at + removed)
    }, text),
  )
}

/** Tokens in any order: short enough to be valid now and then. */
function soup() {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '\\n', '\\u00e', 'true', 'null', 'fals', ' '],
    ...['0', '1', '-', '.', 'e', 'E+', '12', '-0'],
  )
  return fc.array(token, { maxLength: 8 }).map(tokens => tokens.join(''))
}

function everyCharacter(): string[] {
  return ['□', '[□]', '[1□]', '[1.□]', '[1e□]', '[1e+□]', '[-□]', '[0□]', '{□}', '{"a"□}', '{"a":1□}'].concat(
    ['"□"', '"\\□"', '"\\u□000"', '"\\u000□"', '"\\u00□', '[1,□]', '{"a":1,□}', 'tru□', '□1', '1□'],
  )
}
