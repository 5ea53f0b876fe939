import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json/value.ts'
import { addOperations } from '../../../src/judges/contract/description/contract-text.ts'

const base: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Base' },
  paths: {
    '/pets': { get: { operationId: 'listPets' } },
    '/pets/{petId}': { get: { operationId: 'getPet' }, summary: 'A pet' },
  },
  components: { schemas: { Pet: { type: 'object' }, Error: { type: 'string' } } },
}

/** The operations of a document, added to `base`. */
function added(document: JsonObject, ...operations: readonly string[]): JsonObject {
  const named = operations.map(text => text.split(' ')).map(([method = '', path = '']) => ({ method, path }))
  return addOperations(base, { document, operations: named })
}

test('the chosen operations come, below /v1 or not, and no others', () => {
  const nests = { get: { summary: 'list' }, post: { summary: 'create' } }
  expect(added({ paths: { '/v1/nests': nests, '/eggs': nests } }, 'get /v1/nests', 'post /eggs')).toEqual({
    ...base,
    paths: {
      ...(base.paths as JsonObject),
      '/nests': { get: { summary: 'list' } },
      '/eggs': { post: { summary: 'create' } },
    },
  })
})

test('without operations, the description stays as it is', () => {
  expect(added({ paths: { '/eggs': { get: {} } } })).toEqual(base)
  expect(added({}, 'get /eggs').paths).toEqual({ ...(base.paths as JsonObject), '/eggs': { get: {} } })
})

test('an operation that is there already stays, and others come beside it', () => {
  const paths = { '/pets/{id}': { get: { summary: 'theirs' }, delete: { summary: 'remove' } } }
  expect(added({ paths }, 'get /pets/{id}', 'delete /pets/{id}').paths).toEqual({
    ...(base.paths as JsonObject),
    '/pets/{petId}': { get: { operationId: 'getPet' }, summary: 'A pet', delete: { summary: 'remove' } },
  })
})

test('paths of one shape are one path, with one name for each parameter', () => {
  const id = (name: string) => ({ name, in: 'path', required: true })
  const limit = { name: 'id', in: 'query' }
  const paths = {
    '/pets/{id}': { parameters: [id('id')], put: { parameters: [limit] } },
    '/nests/{nest}/eggs/{egg}': { get: { parameters: [id('nest'), id('egg')] } },
    '/nests/{id}/eggs/{number}': { put: { parameters: [id('id'), id('number'), id('other')] } },
  }
  expect(
    added({ paths }, 'put /pets/{id}', 'get /nests/{nest}/eggs/{egg}', 'put /nests/{id}/eggs/{number}').paths,
  ).toMatchObject({
    '/pets/{petId}': { put: { parameters: [id('petId'), limit] } },
    '/nests/{nest}/eggs/{egg}': {
      get: { parameters: [id('nest'), id('egg')] },
      put: { parameters: [id('nest'), id('egg'), id('other')] },
    },
  })
})

test('parameters are written out where references lead to them', () => {
  const document = {
    paths: {
      '/eggs/{n}': {
        parameters: [{ $ref: '#/components/parameters/a~1b~0c' }],
        get: { parameters: [{ $ref: '#/components/parameters/none' }, { $ref: 'other.yaml' }] },
      },
    },
    components: { parameters: { 'a/b~c': { name: 'n', in: 'path' } } },
  }
  expect((added(document, 'get /eggs/{n}').paths as JsonObject)['/eggs/{n}']).toEqual({
    get: {
      parameters: [
        { name: 'n', in: 'path' },
        { $ref: '#/components/parameters/none' },
        { $ref: 'other.yaml' },
      ],
    },
  })
})

test('an added operation needs the key of pet-mock, at its address', () => {
  const get = { summary: 'list', security: [], servers: [{ url: 'https://api.example' }] }
  const { paths } = added({ paths: { '/eggs': { get } } }, 'get /eggs')
  expect((paths as JsonObject)['/eggs']).toEqual({ get: { summary: 'list' } })
})

test('components come along; one whose name is taken by another gets a new name, in references too', () => {
  const pet = '#/components/schemas/Pet'
  const document = {
    paths: {
      '/eggs': {
        get: {
          items: [{ $ref: pet }, { $ref: `${pet}/properties/name` }, { $ref: '#/components/schemas/Error' }],
          $ref: 7,
          text: pet,
        },
      },
    },
    components: {
      schemas: {
        Pet: { properties: { own: { $ref: pet } } },
        Pet2: { type: 'number' },
        Error: { type: 'string' },
        Egg: { type: 'boolean' },
      },
      responses: { Pet: { description: 'a pet' } },
    },
    'x-files': { 'a.yaml': { $ref: pet } },
  }
  const whole = added(document, 'get /eggs')
  expect(whole.components).toEqual({
    schemas: {
      Pet: { type: 'object' },
      Error: { type: 'string' },
      Pet3: { properties: { own: { $ref: '#/components/schemas/Pet3' } } },
      Pet2: { type: 'number' },
      Egg: { type: 'boolean' },
    },
    responses: { Pet: { description: 'a pet' } },
  })
  expect(whole.paths).toMatchObject({
    '/eggs': {
      get: {
        items: [
          { $ref: '#/components/schemas/Pet3' },
          { $ref: '#/components/schemas/Pet3/properties/name' },
          { $ref: '#/components/schemas/Error' },
        ],
        $ref: 7,
        text: pet,
      },
    },
  })
  expect(whole['x-files']).toEqual({ 'a.yaml': { $ref: '#/components/schemas/Pet3' } })
})
