import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { readFixtures } from '../../../src/control/fixtures/read.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { createInProcessTarget } from '../../../src/judges/walkthrough/in-process.ts'
import { play } from '../../../src/judges/walkthrough/play.ts'
import { readTexts } from './read-texts.ts'

/* Every example of docs/scenarios.md and file of played/ is a whole scenario: pet-mock reads it, and its walkthrough passes. */

const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8')
const examples = Array.from(page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm), ([, text = '']) => text)

async function read(text: string) {
  const reading = await readTexts({ 'example.yaml': text })
  if (!reading.ok) throw new Error(reading.complaints.map(formatComplaint).join('\n'))
  return reading.value
}

test('the pets.yaml is read, with its extra fields', async () => {
  const [, text] = /^```yaml pets\.yaml\n([\s\S]*?)^```$/m.exec(page) ?? []
  const reading = await readFixtures('fixtures', new Map([['pets.yaml', text]]), shippedFixtures)
  expect(reading).toMatchObject({ ok: true, value: { pets: [{ id: 4711, name: 'Rex' }, { name: 'Max' }] } })
})

const played = new URL('played/', import.meta.url)
const texts = readdirSync(played).map(file => readFileSync(new URL(file, played), 'utf8'))

test.each([...examples, ...texts])('%s', async text => {
  const file = await read(text)
  const scenario = settle('example.yaml', file, shippedFixtures)
  const amiss = []
  for await (const { step, differences, impossible } of play(
    file.walkthrough ?? [],
    scenario.key,
    createInProcessTarget(scenario, shippedFixtures),
  ))
    if (differences.length > 0 || impossible !== undefined) amiss.push({ step, differences, impossible })
  expect(amiss).toEqual([])
})
