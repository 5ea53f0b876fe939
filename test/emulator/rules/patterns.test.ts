import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob, compilePath } from '../../../src/emulator/rules/match.ts'

test.each([
  ['demo-free', 'demo-free', true],
  ['demo-free', 'demo-freeze', false],
  ['demo-*', 'demo-free', true],
  ['demo-*', 'demo-', true],
  ['demo-*', 'my-demo-free', false],
  ['*', '', true],
  ['*-free', 'demo-free', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'aXcYb', false],
  ['a*bc*c', 'abc', false],
  ['d.mo', 'demo', false],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(compileGlob(pattern)(text)).toBe(expected)
})

test('a star stands for any characters, as it does in a regular expression', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  fc.assert(
    fc.property(piece, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }), (pattern, text) => {
      expect(compileGlob(pattern)(text)).toBe(new RegExp(`^${pattern.replace(/\*+/g, '.*')}$`).test(text))
    }),
    { numRuns: 2_000 },
  )
})

test('many stars are no way to keep the server busy', () => {
  const fits = compileGlob(`${'a*'.repeat(200)}b`)
  expect(fits('a'.repeat(100_000))).toBe(false)
})

test.each([
  ['/v1/pets', '/v1/pets', true],
  ['/v1/pets', '/v1/%70ets', true],
  ['/v1/pets', '/v1/pets/', false],
  ['/v1/pets', '/v1/pets/1', false],
  ['/v1/pets/{petId}', '/v1/pets/1', true],
  ['/v1/pets/{petId}', '/v1/pets/a%2Fb', true],
  ['/v1/pets/{petId}', '/v1/pets/', false],
  ['/v1/pets/{petId}', '/v1/pets/1/x', false],
  ['/v1/pets/{petId}', '/v1/pets/%ff', false],
  ['/v1/*/orders', '/v1/store/orders', true],
  ['/v1/x{petId}', '/v1/x1', true],
  ['/v1/x{petId}', '/v1/x', false],
  ['/v1/jobs/{id}:cancel', '/v1/jobs/7:cancel', true],
  ['/v1/jobs/{id}:cancel', '/v1/jobs/7:cancelled', false],
  ['/v1/x{petId}', '/v1/x{petId}', true],
  ['/v1/{petId}x', '/v1/1x', true],
  ['/v1/pets/{petId}', '/v1/pets/{petId}', true],
  ['/v1/100%', '/v1/100%', true],
  ['/v1/store/*', '/v1/store/orders/1', false],
  ['/v1/pets/1*', '/v1/pets/13', true],
  ['/v1/pets/1*', '/v1/pets/31', false],
])('the path pattern %s and %s: %s', (pattern, path, expected) => {
  expect(compilePath(pattern)(path)).toBe(expected)
})
