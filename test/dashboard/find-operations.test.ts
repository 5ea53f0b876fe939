import { expect, test } from 'vitest'
import { listOperations } from '../../src/dashboard/openapi/find-operations.ts'
import { readDocument } from '../../src/dashboard/openapi/read-document.ts'

const paths = Object.fromEntries(
  Array.from({ length: 5_000 }, (_, index) => [`/op${index}`, { get: { tags: [`tag${index % 20}`] } }]),
)
const large = readDocument(JSON.stringify({ openapi: '3.1.0', paths }), 'http://127.0.0.1:7387')

test('a document of 5,000 operations lists 300 of them, and search finds the others', () => {
  const all = listOperations(large, '')
  expect(all.groups.flatMap(({ operations }) => operations)).toHaveLength(300)
  expect(all.left).toBe(4_700)
  const { groups, left } = listOperations(large, '/op4999')
  expect(groups.map(({ tag, operations }) => [tag.name, operations.map(({ path }) => path)])).toEqual([
    ['tag19', ['/op4999']],
  ])
  expect(left).toBe(0)
})
