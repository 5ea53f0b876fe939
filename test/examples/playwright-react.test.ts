import { expect, test } from 'vitest'
import { chromiumFlags, findChromium } from '../support/browser.ts'
import { installExample } from '../support/example.ts'
import { requireOrSkip } from '../support/requirements.ts'

test('examples/playwright-react: it is built, and its tests are well in Chromium', {
  timeout: 600_000,
}, async context => {
  const executablePath = requireOrSkip(context, 'Chromium', findChromium())
  const example = await installExample('playwright-react', context)
  // Its own configuration takes the browser that Playwright downloads, and its patience is that of an idle machine.
  example.write(
    'on-this-machine.config.ts',
    `import config from './playwright.config.ts'
    export default {
      ...config,
      timeout: 120_000,
      expect: { timeout: 60_000 },
      use: { launchOptions: ${JSON.stringify({ executablePath, args: chromiumFlags })} },
    }`,
  )
  const { code, output } = await example.run('npm', 'test', '--', '--config', 'on-this-machine.config.ts')
  expect(output).toMatch(/^ {2}11 passed/m)
  expect(code).toBe(0)
})
