import { describe, expect, test } from 'vitest'
import type { Breach } from '../../../src/emulator/journal/exchange.ts'
import { createContractText, jsonForm } from '../../../src/judges/contract/description/contract-text.ts'
import { isAssumed } from '../../../src/judges/contract/judge.ts'
import { boundSchema, jsonOf, mockReply, seedable } from '../../../src/judges/contract/prism/examples.ts'
import { readOperations } from '../../../src/judges/contract/prism/prism.ts'

describe('what a description only assumes', () => {
  const content = { 'application/json': { schema: { type: 'object', 'x-assumption': ['A21'] } } }
  const document = {
    paths: { '/toys': { get: { responses: { default: { description: 'A toy.', content } } } } },
  }
  const toys = { method: 'get', path: '/toys' }

  test.each<[part: string, assumed: boolean]>([
    ['body', true],
    ['media type', true],
    ['status', false],
    ['header', false],
  ])('a mark at the schema of a body is about its %s: %s', (part, assumed) => {
    const breach: Breach = { side: 'response', part, place: 'x-a', message: 'It is wrong' }
    expect(isAssumed(document, toys, { status: 404, headers: {} }, breach)).toBe(assumed)
  })

  test.each<[status: number, assumed: boolean]>([
    [200, false],
    [418, true],
    [503, true],
  ])('a status %i that is not documented: only an error is assumed', (status, assumed) => {
    const documented = { paths: { '/toys': { get: { responses: { 201: { description: 'A toy.' } } } } } }
    const breach: Breach = { side: 'response', part: 'status', place: '', message: 'It is wrong' }
    expect(isAssumed(documented, toys, { status, headers: {} }, breach)).toBe(assumed)
  })
})

test('the contract of a server names that server, and no other one', async () => {
  const { openapi, servers, paths } = JSON.parse(
    await createContractText()(jsonForm, 'http://127.0.0.1:7387/v1', undefined),
  )
  expect(openapi).toMatch(/^3\./)
  expect(servers).toEqual([{ url: 'http://127.0.0.1:7387/v1', description: 'This pet-mock server.' }])
  expect(Object.keys(paths)).toEqual(['/pets', '/pets/{petId}', '/store/orders'])
})

test.each<[mediaType: string, isJson: boolean]>([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/vnd.api+json', true],
  ['Application/Problem+JSON', true],
  ['application/jsonl', false],
  ['text/json', false],
  ['text/plain', false],
])('%s is JSON: %s', (mediaType, isJson) => {
  expect(jsonOf({ contents: [{ id: '1', mediaType }] }) !== undefined).toBe(isJson)
})

test.each<[limits: object, values: readonly number[]]>([
  [{ multipleOf: 0.25, minimum: 0.25, maximum: 0.75 }, [0.25, 0.5, 0.75]],
  [{ multipleOf: 0.1, minimum: 0.2, maximum: 0.4 }, [0.2, 0.3, 0.4]],
  [{ multipleOf: 1e-7, minimum: 1e-7, maximum: 3e-7 }, [1e-7, 2e-7, 3e-7]],
])('numbers with %j are one of %j', (limits, values) => {
  expect(seedable({ type: 'number', ...limits })).toEqual({ enum: values })
})

describe('an example', () => {
  const described = (schema: object) => ({
    openapi: '3.1.0',
    info: { title: 'Kinds', version: '1' },
    paths: {
      '/kind': {
        get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
      },
    },
  })

  test('of a time has the form of a time in UTC, for each seed', async () => {
    const [operation] = await readOperations(described({ type: 'string', format: 'time' }))
    if (operation === undefined) throw new Error('The operation is missing.')
    const texts = { requestHeaders: {}, requestBody: undefined, headers: {}, body: undefined, status: 200 }
    for (const seed of ['1', '2', '3']) {
      const { body } = await mockReply(operation, { method: 'GET', target: '/kind', ...texts }, seed)
      expect(body).toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/)
    }
  })

  test('of a schema that holds itself has it twice, one inside the other', () => {
    const node = { type: 'object', properties: { name: { type: 'string' }, twin: { $ref: '#/Node' } } }
    const name = { type: 'string' }
    expect(boundSchema(node, { Node: node })).toEqual({
      ...node,
      properties: { name, twin: { ...node, properties: { name } } },
    })
  })
})
