import { expect, test } from 'vitest'
import { formatComplaint } from '../../src/files/complaint.ts'
import { brokenFiles } from './broken-files.ts'
import { readTexts } from './read-texts.ts'

test.each(brokenFiles)('$text', async ({ text, complaint }) => {
  const reading = await readTexts({ 'f.yaml': text })
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([`f.yaml:${complaint}`])
})

test('every complaint is told at once, in the order of the file', async () => {
  const reading = await readTexts({ 'f.yaml': 'seed: x\nclok: 1\nclock: { frozen: no }\nbans: { for: 5 }' })
  expect(reading.ok ? [] : reading.complaints.map(({ line, column }) => `${line}:${column}`)).toEqual([
    '1:7',
    '2:1',
    '3:18',
    '4:14',
  ])
})

test('JSON is read by the same rules', async () => {
  const reading = await readTexts({ 'f.yaml': '{\n\t"$schema": "x",\n\t"sed": 7\n}' })
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([
    'f.yaml:3:2: sed: unknown field; did you mean seed?',
  ])
})
