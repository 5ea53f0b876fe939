import { expect, it } from 'vitest'
import {
  allowedMethods,
  createRouter,
  findRoute,
  isEmulated,
  isUnderApi,
  operationAt,
  templateSegments,
  withoutBase,
} from '../../../src/service/operations/routes.ts'

it.each([
  ['/v1', true],
  ['/v1/', true],
  ['/v1/pets', true],
  ['/%761/pets', true],
  ['/v1x', false],
  ['/v2/pets', false],
  ['/v2/%70ets', false],
  ['/%zz', false],
  ['/', false],
  ['/x/v1/pets', false],
])('whether %s is a path of the API: %j', (path, expected) => {
  expect(isUnderApi(path)).toBe(expected)
})

it.each<[path: string, route: string | undefined, parameter?: string]>([
  ['/v1/pets', '/v1/pets', ''],
  ['/v1/p%65ts', '/v1/pets', 'pets'],
  ['/v1/pets/7', '/v1/pets/{petId}', '7'],
  ['/v1/pets/a%2Fb', '/v1/pets/{petId}', 'a/b'],
  ['/v1/pets/{petId}', '/v1/pets/{petId}', '{petId}'],
  ['/v1/store/orders', '/v1/store/orders', ''],
  ['/v1/pets/', undefined],
  ['/v1/pets/7/', undefined],
  ['/v1/toys/7', undefined],
  ['/v2/pets', undefined],
  ['/v1/pets/%zz', undefined],
])('the route of %s is %s', (path, route, parameter) => {
  const found = findRoute(path)
  expect([found?.route.path, found?.parameter]).toEqual([route, parameter])
})

it.each([
  ['/v1/pets', 'HEAD', 'listPets'],
  ['/v1/pets', 'POST', 'createPet'],
  ['/v1/pets', 'PUT', undefined],
  ['/v1/pets/7', 'GET', 'getPet'],
  ['/v1/toys', 'GET', undefined],
])('%s %s leads to %s', (path, method, operation) => {
  expect(operationAt(path, method)).toBe(operation)
})

it.each([
  [['pets'], 'GET', true],
  [['pets'], 'DELETE', false],
  [['pets', '{}'], 'GET', true],
  [['pets', ''], 'GET', false],
  [['store', 'orders'], 'GET', true],
  [['storeorders'], 'GET', false],
  [['toys'], 'GET', false],
])('whether the path of %j has the operation %s: %j', (segments, method, expected) => {
  expect(isEmulated(segments, method)).toBe(expected)
})

it.each([
  [['GET', 'POST', 'GET'], 'GET, HEAD, POST, OPTIONS'],
  [['OPTIONS', 'PATCH'], 'OPTIONS, PATCH'],
  [[], 'OPTIONS'],
])('Allow of %j', (methods, allow) => {
  expect(allowedMethods(methods)).toBe(allow)
})

it.each([
  ['/v1/pets', '/pets'],
  ['/v1/', '/'],
  ['/pets', '/pets'],
  ['/v1', '/v1'],
  ['/v10/pets', '/v10/pets'],
  ['/pets/v1/', '/pets/v1/'],
])('the path %s of a contract is %s below the base path', (path, below) => {
  expect(withoutBase(path)).toBe(below)
})

it.each([
  ['/jobs', ['jobs']],
  ['/jobs/{id}:cancel', ['jobs', '{}:cancel']],
  ['/a%20b/{from}-{to}', ['a b', '{}-{}']],
  ['/%zz/{id}', ['%zz', '{}']],
])('the segments of the template %s are %j', (path, segments) => {
  expect(templateSegments(path)).toEqual(segments)
})

// Each list is in the order in which a path finds its templates.
it.each<[path: readonly string[], found: readonly string[], others: readonly string[]]>([
  [
    ['jobs', '7'],
    ['/jobs/7', '/jobs/{id}'],
    ['/jobs', '/jobs/7/runs', '/jobs/{id}/runs', '/jobs/8', '/job/7'],
  ],
  [['a', 'b'], ['/a/b', '/a/{y}', '/{x}/b', '/{x}/{y}'], ['/{x}']],
  [['7:cancel'], ['/{id}:cancel', '/{id}l', '/{id}'], ['/{id}:stop']],
  [['7zl'], ['/{id}zl', '/{id}l', '/{id}'], []],
  [['7-abc'], ['/{id}abc', '/{from}-{to}', '/{id}'], []],
  [['jobs', ''], [], ['/jobs/{id}', '/jobs/{id}:cancel', '/jobs']],
])('the path of %j finds %j, the most literal first, and not %j', (path, found, others) => {
  const templates = [...found, ...others]
  for (const given of [templates, templates.toReversed()]) {
    const route = createRouter(given.map(template => [templateSegments(template), template]))
    expect(route(path)).toEqual(found)
  }
})

it('of templates that match the same paths, the first one comes first', () => {
  const names = ['/pets/{id}', '/pets/{petId}', '/pets/{pet}']
  const route = createRouter(names.map(template => [templateSegments(template), template]))
  expect(route(['pets', '7'])).toEqual(names)
})
