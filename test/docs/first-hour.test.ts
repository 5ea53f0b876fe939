import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage as browser } from '../support/browser.ts'
import { needPosix } from '../support/requirements.ts'
import { createReader, expectLines, readTutorial, type Step } from '../support/tutorial.ts'

/* docs/first-hour.md, done as it says: each file saved, each command run, each click made in a real browser. */
needPosix('shell')
const path = 'docs/first-hour.md'
const steps = readTutorial(path)

test('the page has commands, clicks, and what they show', () => {
  const count = (kind: Step['do']) => steps.filter(step => step.do === kind).length
  expect({ save: count('save'), run: count('run') }).toEqual({ save: 2, run: 10 })
  expect(count('see')).toBeGreaterThan(5)
})

test('its tour names the pages of the dashboard, in the order of their menu', () => {
  const [, table = ''] = /^\| page +\|.*\n\|[- |]+\|\n((?:\|.*\n)*)/m.exec(readFileSync(path, 'utf8')) ?? []
  const named = [...table.matchAll(/^\| (\S+)/gm)].map(([, name]) => name)
  // A server that was opened from a box has a page more.
  const menu = readFileSync('src/dashboard/parts/parts.ts', 'utf8').matchAll(/title: '([^']+)'(?!.*isOfBox)/g)
  expect(named.length).toBeGreaterThan(5)
  expect(named).toEqual(Array.from(menu, ([, title]) => title))
})

test('works from the first line to the last', { timeout: 300_000 }, async context => {
  const page: Page = await browser(context)
  const reader = await createReader()
  context.onTestFinished(reader.end)
  let isOpen = false
  for (const step of steps) {
    if (step.do === 'save') reader.save(step.file, step.text)
    if (step.do === 'run') expectLines(await reader.run(step.command), step.shown)
    if (step.do === 'replace') {
      reader.replace('pet-mock/scenario.yaml', step.old, step.with)
      await expect.poll(reader.served).toContain('Reloaded pet-mock/scenario.yaml')
    }
    if (step.do === 'click') {
      if (!isOpen) await page.goto(pathToFileURL(join(reader.path, 'pets.html')).href)
      isOpen = true
      for (let click = 1; click <= step.times; click += 1) {
        const response = page.waitForResponse(one => one.request().method() === 'GET')
        await page.click('#load')
        await (await response).finished()
      }
    }
    if (step.do === 'see') await expect.poll(() => page.textContent('#shown')).toMatch(patternOf(step.text))
  }
})

/** An ellipsis is a number that depends on how long the reader took. */
function patternOf(shown: string): RegExp {
  return new RegExp(`^${shown.replaceAll('…', '\\d+')}$`)
}
