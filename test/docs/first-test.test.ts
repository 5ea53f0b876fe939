import { expect, test } from 'vitest'
import { needPosix } from '../support/requirements.ts'
import { createReader, expectLines, readTutorial } from '../support/tutorial.ts'

/* docs/first-test.md, done as it says, in a directory where nothing but pet-mock is installed. */
needPosix('shell')
const steps = readTutorial('docs/first-test.md')

test('the page has files and runs', () => {
  expect(steps.map(step => step.do)).toEqual([
    ...['save', 'save', 'run'],
    ...['append', 'run'],
    ...['save', 'run'],
    ...['replace', 'run'],
  ])
})

test('works from the first line to the last', { timeout: 300_000 }, async context => {
  const reader = await createReader()
  context.onTestFinished(reader.end)
  for (const step of steps) {
    if (step.do === 'save') reader.save(step.file, step.text)
    if (step.do === 'append') reader.append(step.file, step.text)
    if (step.do === 'replace') reader.replace('pets.mjs', step.old, step.with)
    // In a terminal, Node 20 has this reporter, too.
    if (step.do === 'run') expectLines(await reader.run(`${step.command} --test-reporter=spec`), step.shown)
  }
})
