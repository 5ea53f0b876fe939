import { describe, expect, it } from 'vitest'
import { createKeyMask, createSecrets, isMasked } from '../../../src/service/keys/mask.ts'
import { maskFreeText } from '../../../src/service/keys/mask-text.ts'

it.each([
  ['a', 'a…'],
  ['abc', 'a…'],
  ['abcd', 'ab…'],
  ['abcdefgh', 'abcdef…'],
  ['abcdefghijkl', 'abcdef…'],
  ['', ''],
  ['demo-f…#2', 'demo-f…#2'],
])('shows the key %s as %s', (key, shown) => {
  expect(createSecrets().maskKey(key)).toBe(shown)
})

it('differs for long secrets with another middle or length', () => {
  const { mask } = createSecrets()
  const [start, end] = ['s'.repeat(60), 'e'.repeat(60)]
  const secrets = [`${start}1${end}`, `${start}2${end}`, `${start}11${end}`, `${start}1${end}`]
  expect(secrets.map(mask)).toEqual(['ssssss…', 'ssssss…#2', 'ssssss…#3', 'ssssss…'])
})

it.each<[text: string, isMasked: boolean]>([
  ['demo-f…', true],
  ['…', true],
  ['demo-f…#12', true],
  ['demo-f…#+', true],
  ['demo-f…+team.a-1_b', true],
  ['demo-f…#2+w1', true],
  [`${'x'.repeat(38)}…`, true],
  [`${'x'.repeat(39)}…`, false],
  ['demo-f…#', false],
  ['demo-f…#x', false],
  ['demo-f…+', false],
  ['demo-f…+a b', false],
  ['demo-f…ree', false],
  ['demo-free', false],
])('whether %s is a label: %j', (text, expected) => {
  expect(isMasked(text)).toBe(expected)
})

describe('known keys in a text', () => {
  const mask = createKeyMask(['demo', 'demo-free', 'demo/x', 'a.b+c='], createSecrets())
  it.each([
    ['GET /v1/pets?q=demo-free', 'GET /v1/pets?q=demo-f…'],
    ['demo-free+w1, demo-free', 'demo-f…+w1, demo-f…'],
    ['demo-freeze, xdemo-free, demo-free.', 'demo-freeze, xdemo-free, demo-free.'],
    // The longer of two keys.
    ['demo/x', 'demo…'],
    ['demo', 'de…'],
    ['a.b+c= and a.b%2Bc%3D', 'a.b+… and a.b+…'],
    ['axb+c=', 'axb+c='],
  ])('%s becomes %s', (text, shown) => {
    expect(mask(text)).toBe(shown)
  })

  it('stay as they are if there are none', () => {
    expect(createKeyMask([], createSecrets())('demo-free')).toBe('demo-free')
  })
})

it.each([
  ["curl -H 'Authorization: Bearer abcd1234efgh'", "curl -H 'Authorization: Bearer abc…'"],
  ['BASIC  dXNlcjpwYXNz1==', 'BASIC  dXN…'],
  ['Bearer authentication is required.', 'Bearer authentication is required.'],
  ['Bearer abc1234', 'Bearer abc1234'],
  ['the flag --token=abcdefgh', 'the flag --token=ab…'],
  ['?q=abcdefgh', '?q=abcdefgh'],
])('a text of no call: %s becomes %s', (text, shown) => {
  expect(maskFreeText(text)).toBe(shown)
})
