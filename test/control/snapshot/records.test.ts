import { expect, test } from 'vitest'
import { maxDepth } from '../../../src/base/json/read.ts'
import type { JsonObject } from '../../../src/base/json/value.ts'
import { readRecords, saveRecords } from '../../../src/control/snapshot/parts.ts'

function nested(depth: number): JsonObject {
  return depth === 1 ? { end: true } : { a: nested(depth - 1) }
}

test('a record with the deepest nesting that a body may have can be put back', () => {
  const record = nested(maxDepth)
  const [saved] = saveRecords(new Map([['/v1/toys', { nextId: 2, all: () => [record] }]]))
  expect(readRecords(saved?.list ?? '')).toEqual([record])
  expect(readRecords(JSON.stringify([nested(maxDepth + 1)]))).toBeUndefined()
})
