import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { brokenFiles } from './broken-files.ts'
import { readTexts } from './read-texts.ts'

test.each(brokenFiles)('$text', async ({ text, complaint }) => {
  const reading = await readTexts({ 'f.yaml': text })
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([`f.yaml:${complaint}`])
})

test('all complaints are listed at once, in the order of the file', async () => {
  const reading = await readTexts({ 'f.yaml': 'seed: x\nclok: 1\nclock: { frozen: no }\nbans: { for: 5 }' })
  expect(reading.ok ? [] : reading.complaints.map(({ line, column }) => `${line}:${column}`)).toEqual([
    '1:7',
    '2:1',
    '3:18',
    '4:14',
  ])
})

test('what is wrong with one item of a list hides nothing that is wrong beside it', async () => {
  const instants = (from: string, to: string) => `{ from: ${from}T00:00:00Z, to: ${to}T00:00:00Z }`
  const text = `deprecation:
  since: 2031-01-01T00:00:00Z
  brownouts:
    - { from: 2026-01-01T00:00:00Z }
    - ${instants('2026-01-02', '2026-01-01')}
pets:
  gone: [0, 7, 1000]
  add: [{ name: Rex }]
`
  const reading = await readTexts({ 'f.yaml': text })
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([
    'f.yaml:2:10: deprecation.since: the deprecation comes after the removal',
    expect.stringMatching(/^f\.yaml:4:7: deprecation\.brownouts\[0\]: to is missing/),
    'f.yaml:5:41: deprecation.brownouts[1].to: expected an instant after from',
    expect.stringMatching(/^f\.yaml:7:10: pets\.gone\[0\]: expected an id/),
    'f.yaml:7:16: pets.gone[2]: no pet ever had the id 1000: the pets have the ids 1 to 101',
    expect.stringMatching(/^f\.yaml:8:9: pets\.add\[0\]: categoryId is missing/),
  ])
})

test('a rule that cannot be read still has a name', async () => {
  const event = (name: string) => `{ after: 2, change: { do: deleteRule, name: ${name} } }`
  const text = `rules: [{ match: null }]\nevents: [${event('rule-1')}, ${event('1s')}]`
  const reading = await readTexts({ 'f.yaml': text })
  expect(reading.ok ? [] : reading.complaints.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^rules\[0\]\.match: expected a map of fields/),
    'events[1].change.name: unknown rule "1s"; known are rule-1',
  ])
})

test('JSON is read by the same rules', async () => {
  const reading = await readTexts({ 'f.yaml': '{\n\t"$schema": "x",\n\t"sed": 7\n}' })
  expect(reading.ok ? [] : reading.complaints.map(formatComplaint)).toEqual([
    'f.yaml:3:2: sed: unknown field; did you mean seed?',
  ])
})
