import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { shippedWalkthroughs } from '../../src/judges/walkthrough/shipped.ts'
import { openChromium } from '../support/browser.ts'
import { bundleForPages, servePage } from '../support/page-bundle.ts'
import type { EnginePage } from './engine-page.ts'

/* The emulator itself in a browser: floors 1 to 5 promise to run there as they are. */
let opening: Promise<Page> | undefined
const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

async function openPage(context: Parameters<typeof openChromium>[0]): Promise<Page> {
  const browser = await openChromium(context)
  const script = await bundleForPages(fileURLToPath(new URL('./engine-page.ts', import.meta.url)))
  const server = await servePage(script)
  closers.push(server.close)
  const page = await browser.newPage()
  await page.goto(server.origin)
  return page
}

test.for([...shippedWalkthroughs])('%s passes', async ([name, steps], context) => {
  opening ??= openPage(context)
  const page = await opening
  const outcome = await page.evaluate(
    name => (globalThis as unknown as EnginePage).playWalkthrough(name),
    name,
  )
  expect(outcome).toBe(`passed ${steps.length} steps`)
})
