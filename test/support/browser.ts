import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, type TestContext } from 'vitest'
import { findProgram, requireOrSkip } from './requirements.ts'

/** Host names of tests that lead to this machine, so that pages of foreign origins can be served from it. */
const namesOfThisMachine = ['shop.example', 'evil.example']

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-proxy-server',
  `--host-resolver-rules=${namesOfThisMachine.map(name => `MAP ${name} 127.0.0.1`).join(', ')}`,
]

/** One real Chromium for the tests of a file, started when the first of them needs it, and a page of it for each. */
export function describeBrowser(): (context: Pick<TestContext, 'skip' | 'onTestFinished'>) => Promise<Page> {
  let started: Promise<Browser> | undefined
  afterAll(async () => {
    await (await started)?.close()
  })
  return async ({ skip, onTestFinished }) => {
    const found = findProgram('/usr/bin/chromium', 'chromium', 'chromium-browser', 'google-chrome')
    const executablePath = requireOrSkip({ skip }, 'Chromium', found)
    started ??= chromium.launch({ executablePath, headless: true, args: flags })
    const page = await (await started).newPage()
    onTestFinished(() => page.close())
    return page
  }
}
