import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { command, scenarioFile as settings } from '../../../src/control/scenario/settings/scenario-file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { createInProcessTarget } from '../../../src/judges/walkthrough/in-process.ts'
import { play } from '../../../src/judges/walkthrough/play.ts'
import { settingRows } from '../../../tools/build/docs-tables.ts'
import { readTexts } from './read-texts.ts'

/* Every example of docs/scenarios.md is a whole scenario: pet-mock reads it, and its walkthrough passes. */

const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8')
const examples = Array.from(page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm), ([, text = '']) => text)

async function read(text: string) {
  const reading = await readTexts({ 'example.yaml': text })
  if (!reading.ok) throw new Error(reading.complaints.map(formatComplaint).join('\n'))
  return reading.value.file
}

test.each(examples)('%s', async text => {
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

test('every field of a scenario stands in an example', async () => {
  const said = new Set((await Promise.all(examples.map(read))).flatMap(file => Object.keys(file)))
  const fields = Object.keys(settings.fields)
  // `extends` is merged away, and `$schema` is for JSON; both stand in the text.
  expect(fields.filter(field => !said.has(field) && !page.includes(`\`${field}\``))).toEqual([])
})

test('every command stands in the table', () => {
  const names = Object.keys(command.options)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !page.includes(`| \`${name}\``))).toEqual([])
})

test.each(Array.from(settingRows, ([path, row]) => [path, row] as const))(
  'the setting %s has its row, with the declared default',
  (_path, row) => {
    const lines = page.split('\n').map(line => line.replace(/ +/g, ' '))
    expect(lines).toContain(`| ${row.join(' | ')} |`.replace(/ +/g, ' '))
  },
)
