import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isRunnable, readBlocks } from '../../site/run/shell.ts'
import { openPage } from '../support/browser.ts'
import { serveSite } from '../support/site.ts'
import { expectLines } from '../support/tutorial.ts'

/** How many examples of each page run in the page. */
const runnable = { admin: 4, faults: 1, 'why-429': 1 }

/** The commands of a block or of an output, with the lines that follow each. */
function readCommands(text: string) {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'INSTANT')
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [line = '', ...lines] = part.trimEnd().split('\n')
      return { line, lines }
    })
}

function expectShown(output: string, block: string): void {
  const printed = readCommands(output)
  const shown = readCommands(block)
  expect(printed.map(({ line }) => line)).toEqual(shown.map(({ line }) => line))
  for (const [index, { lines }] of shown.entries()) {
    const given = printed[index]?.lines ?? []
    const named = lines.filter(line => line !== '…')
    if (named.length < lines.length) expectLines(given.join('\n'), named)
    else if (named.length > 0) expect(given).toEqual(named)
  }
}

/** The blocks of a page that have a button, once it has all. */
async function blocksOf(page: Page, count: number): Promise<readonly string[]> {
  await expect.poll(() => page.locator('.run').count()).toBe(count)
  return page.locator('.language-console:has(+ .run) code').allTextContents()
}

/** Presses a button, and resolves with what appears below its example. */
async function run(page: Page, index: number): Promise<string> {
  const example = page.locator('.run').nth(index)
  await example.getByRole('button', { name: 'Run' }).press('Enter')
  const output = example.getByRole('status', { name: 'Output of the commands' })
  await expect.poll(() => output.getAttribute('aria-busy')).toBe(null)
  return (await output.textContent()) ?? ''
}

test('all examples that only use a running server have a button', () => {
  const files = readdirSync('docs').filter(file => file.endsWith('.md'))
  const counts = files.flatMap(file => {
    const text = readFileSync(`docs/${file}`, 'utf8')
    const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
    const { length } = readBlocks(blocks).filter(isRunnable)
    return length === 0 ? [] : [[file.replace('.md', ''), length]]
  })
  expect(Object.fromEntries(counts)).toEqual(runnable)
})

for (const [name, count] of Object.entries(runnable))
  test(`on ${name}, each button shows what the page prints`, async context => {
    const site = await serveSite(context)
    const page = await openPage(context)
    await page.setViewportSize({ width: 360, height: 800 })
    const calls: string[] = []
    page.on('request', request => calls.push(request.url()))
    await page.goto(`${site}docs/${name}.html`)
    const blocks = await blocksOf(page, count)
    for (const [index, block] of blocks.entries()) expectShown(await run(page, index), block)
    // Once more: it starts over.
    expectShown(await run(page, 0), blocks[0] ?? '')
    await page.reload()
    await blocksOf(page, count)
    // At once: the others before it run unseen.
    expectShown(await run(page, count - 1), blocks[count - 1] ?? '')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(calls.filter(url => !url.startsWith(site))).toEqual([])
  })

test('a page has its own buttons after another one', async context => {
  const page = await openPage(context)
  await page.goto(`${await serveSite(context)}docs/admin.html`)
  await blocksOf(page, runnable.admin)
  await page.locator('.VPSidebar a[href$="why-429.html"]').click()
  const [block = ''] = await blocksOf(page, runnable['why-429'])
  expectShown(await run(page, 0), block)
})
