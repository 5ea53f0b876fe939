import { expect } from 'vitest'
import { describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard('fixtures')

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
