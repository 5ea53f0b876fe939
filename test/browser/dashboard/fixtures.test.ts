import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect } from 'vitest'
import { describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const folder = mkdtempSync(join(tmpdir(), 'pet-mock-states-'))
const openDashboard = describeDashboard(async path => {
  const bytes = await readFile(join(folder, path === 'index.html' ? 'fixtures.html' : path)).catch(
    () => undefined,
  )
  return bytes && { bytes, gzipped: undefined, tag: path }
})

beforeAll(async () => {
  await build({
    configFile: 'tools/build/dashboard.config.ts',
    mode: 'fixtures',
    build: { outDir: folder },
    logLevel: 'warn',
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

test.for([1280, 360])(
  'every state of every component at %i px: readable, labelled and no wider than the page',
  // axe-core reads a long page twice.
  { timeout: 90_000 },
  async (width, { open, skip, onTestFinished }) => {
    const { page } = await openDashboard({ open, skip, onTestFinished }, { width })
    await page.getByRole('heading', { name: 'Fixtures' }).waitFor()
    await page.getByText('3 calls came before the limit was over').waitFor()
    expect(await page.getByRole('article').count()).toBeGreaterThan(40)
    // Each component has the headings of its own page.
    await expectNothingSerious(page, [])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await page.locator('script:not([src]), style, img').count()).toBe(0)
  },
)
