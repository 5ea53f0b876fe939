import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { defaultDeprecationSettings } from '../../../src/service/deprecation/deprecation.ts'
import { listParameters, operations } from '../../../src/service/operations/operations.ts'

const Description = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        deprecated: z.boolean().optional(),
        'x-deprecated-sunset': z.string().optional(),
        'x-stability': z.string().optional(),
        parameters: z.array(z.object({ $ref: z.string() })).optional(),
      }),
    ),
  ),
  components: z.object({ parameters: z.record(z.string(), z.object({ name: z.string() })) }),
})

const { paths, components } = Description.parse(parse(readFileSync('openapi.yaml', 'utf8')))
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

describe('openapi.yaml', () => {
  test.each(operations)(
    'describes $id as the emulator serves it',
    ({ id, method, path, stability, deprecated }) => {
      const found = described.find(({ operation }) => operation.operationId === id)
      expect({ ...found, operation: undefined }).toEqual({ method, path, operation: undefined })
      expect({
        stability: found?.operation['x-stability'],
        deprecated: found?.operation.deprecated ?? false,
        removedOn: found?.operation['x-deprecated-sunset'],
      }).toEqual({ stability, deprecated: deprecated !== undefined, removedOn: deprecated?.removedOn })
    },
  )

  test.each(described)(
    'describes only operations that the emulator serves: $operation.operationId',
    ({ operation }) => {
      expect(operations.map(({ id }) => id)).toContain(operation.operationId)
    },
  )

  test('describes the parameters of a list that the emulator reads', () => {
    const { parameters } = components
    const list = described.find(({ operation }) => operation.operationId === 'listPets')
    const names = list?.operation.parameters?.map(
      ({ $ref }) => parameters[$ref.split('/').at(-1) ?? '']?.name,
    )
    expect(listParameters()).toEqual(names)
  })
})

const deprecated = operations.flatMap(({ id, deprecated: it }) => (it === undefined ? [] : [{ id, ...it }]))

test.each(deprecated)('$id names a replacement that is there', ({ replacement }) => {
  expect(operations).toContainEqual(
    expect.objectContaining({ method: replacement.method, path: replacement.path }),
  )
})

test.each(deprecated)('$id goes on the date that scenarios start from', ({ removedOn }) => {
  expect(new Date(defaultDeprecationSettings.removedAt).toISOString()).toBe(`${removedOn}T00:00:00.000Z`)
})
