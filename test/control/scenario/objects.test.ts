import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { check } from '../../../src/control/fields/check.ts'
import { readDocument } from '../../../src/control/files/document.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { crossCheck } from '../../../src/control/scenario/checks/cross-check.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { scenarioFile as scenario } from '../../../src/control/scenario/settings/scenario-file.ts'
import { brokenFiles } from './broken-files.ts'

/* Objects of programs are checked by the same declarations as files. */

async function objectOf(text: string): Promise<ScenarioFile> {
  const document = await readDocument('f.yaml', text)
  if (!document.ok) throw new Error('must be YAML')
  return document.value.value as ScenarioFile
}

// Nothing plays or rehearses a program's scenario, so neither part is checked.
const ofFields = brokenFiles.filter(
  ({ text, bySchema }) => bySchema && !/^(?:walkthrough|rehearsal)/.test(text),
)

test.each(ofFields)('refused as an object, too: $text', async ({ text }) => {
  expect(crossCheck(await objectOf(text), shippedFixtures)).not.toEqual([])
})

test.each(readdirSync('scenarios'))('accepted as an object, too: %s', async file => {
  expect(check(scenario, await objectOf(readFileSync(`scenarios/${file}`, 'utf8')))).toEqual([])
})
