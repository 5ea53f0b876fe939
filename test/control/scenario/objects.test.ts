import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument } from '../../../src/control/files/document.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { crossCheck } from '../../../src/control/scenario/checks/cross-check.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { outOfRange } from '../../../src/control/scenario/objects/scenario-object.ts'
import { brokenFiles } from './broken-files.ts'

/* What the schema says of files and what the tables say of objects must be the same, though neither knows the other. */

async function objectOf(text: string): Promise<ScenarioFile> {
  const document = await readDocument('f.yaml', text)
  if (!document.ok) throw new Error('must be YAML')
  return document.value.value as ScenarioFile
}

// What a step holds is looked at in outline: nothing plays a story that a program writes. A base is looked for before.
const ofFields = brokenFiles.filter(
  ({ text, bySchema }) => bySchema && !text.startsWith('walkthrough') && text !== 'extends: ""',
)

test.each(ofFields)('refused as an object, too: $text', async ({ text }) => {
  expect(crossCheck(await objectOf(text), shippedFixtures)).not.toEqual([])
})

test.each(readdirSync('scenarios'))('accepted as an object, too: %s', async file => {
  expect(outOfRange(await objectOf(readFileSync(`scenarios/${file}`, 'utf8')))).toEqual([])
})
