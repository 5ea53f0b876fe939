import { expect, it } from 'vitest'
import {
  allowedMethods,
  findRoute,
  isEmulated,
  isUnderApi,
  operationAt,
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
