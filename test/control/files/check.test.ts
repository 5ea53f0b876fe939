import { expect, test } from 'vitest'
import * as z from 'zod'
import { check } from '../../../src/control/files/check.ts'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { readDocument } from '../../../src/control/files/document.ts'

const schema = z.strictObject({
  on: z.boolean().optional(),
  name: z.string().optional(),
  size: z.enum(['small', 'large']).optional(),
  mode: z
    .union([z.literal('off'), z.strictObject({ depth: z.int(), wide: z.boolean().nullish() })])
    .optional(),
  list: z.array(z.strictObject({ id: z.int() })).optional(),
  map: z
    .record(z.string().regex(/^[a-z]+$/, { error: 'small letters' }), z.strictObject({ n: z.int() }))
    .optional(),
})

test.each([
  ['on: yes', 'f:1:5: on: expected true or false, found "yes": write true'],
  ['on: Off', 'f:1:5: on: expected true or false, found "Off": write false'],
  ['on: 1', 'f:1:5: on: expected true or false, found 1'],
  ['name: 12', 'f:1:7: name: expected text, found 12: write "12", in quotes'],
  ['name:', 'f:1:6: name: expected text, found nothing'],
  ['size: lagre', 'f:1:7: size: expected one of small, large, found "lagre"; did you mean large?'],
  ['mode: { dept: 1 }', 'f:1:9: mode.dept: unknown field; did you mean depth?'],
  ['mode: { depth: deep }', 'f:1:16: mode.depth: expected a number, found "deep"'],
  ['list: { id: 1 }', 'f:1:7: list: expected a list, found a map'],
  ['list:\n  - id: 1\n  - {}', 'f:3:5: list[1]: id is missing: expected a number'],
  ['list: [{ id: 1, x: 2 }]', 'f:1:17: list[0].x: unknown field; known are id'],
  ['map: { A: { n: 1 } }', 'f:1:8: map.A: expected small letters as its name'],
  ['map: { a: { n: 1.5 } }', 'f:1:16: map.a.n: expected a whole number, found 1.5'],
  ['[]', 'f:1:1: expected a map of fields, found an empty list'],
  ['# nothing', 'f:1:1: expected a map of fields, found nothing'],
])('%s', async (text, expected) => {
  expect(await complaints(text)).toContain(expected)
})

test('complaints are in the order of the file', async () => {
  expect(await complaints('size: tiny\nzzzz: 1\non: 2')).toEqual([
    'f:1:7: size: expected one of small, large, found "tiny"',
    'f:2:1: zzzz: unknown field; known are on, name, size, mode, list, map',
    'f:3:5: on: expected true or false, found 2',
  ])
})

async function complaints(text: string): Promise<readonly string[]> {
  const document = await readDocument('f', text)
  const reading = document.ok ? check(schema, document.value) : document
  return reading.ok ? [] : reading.complaints.map(formatComplaint)
}
