import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { callApi, dashboardParts, describeDashboard } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

async function show(page: Page, url: string, title: string): Promise<void> {
  await page.goto(url)
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await expect.poll(() => page.title()).toBe(`${title} · pet-mock`)
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Parts' })

/** Roles of what people use or read by its name. */
const named: ReadonlySet<string> = new Set(
  'button link textbox searchbox combobox checkbox slider spinbutton meter progressbar'.split(' '),
)

describe.for(dashboardParts)('%s', ([title, path]) => {
  test('fits into 320 pixels, as at a zoom of 400 %', async ({ open, skip, onTestFinished }) => {
    const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
    await page.setViewportSize({ width: 320, height: 256 })
    await callApi(server, '/v1/pets')
    await show(page, urlOf(`#/${path}`), title)
    const widths = await page.evaluate<readonly number[]>(
      '[document.documentElement.scrollWidth, main.scrollWidth, main.clientWidth]',
    )
    expect(widths).toEqual([320, 320, 320])
    await page.getByRole('button', { name: `Menu: ${title}` }).click()
    const { x = -1, width = 0 } = (await menu(page).locator('[aria-current]').boundingBox()) ?? {}
    expect(x).toBeGreaterThanOrEqual(0)
    expect(Math.floor(x + width)).toBeLessThanOrEqual(320)
    await page.getByRole('button', { name: /^Clock: / }).click()
    const panel = (await page.locator('.clock-menu .folded').boundingBox()) ?? { x: -1, width: 0 }
    expect(panel.x).toBeGreaterThanOrEqual(0)
    expect(panel.x + panel.width).toBeLessThanOrEqual(320)
  })

  test('has its heading, and a name for everything that can be used', async ({
    open,
    skip,
    onTestFinished,
  }) => {
    const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
    await callApi(server, '/v1/pets')
    await show(page, urlOf(`#/${path}`), title)
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const used = nodes.filter(({ ignored, role }) => !ignored && named.has(`${role?.value}`))
    expect(used.length).toBeGreaterThan(10)
    const nameless = used.filter(({ name }) => `${name?.value ?? ''}`.trim() === '')
    expect(nameless.map(({ role }) => role?.value)).toEqual([])
    const isHeading = (role: unknown, level: number) => role === 'heading' && level === 1
    const levels = nodes.filter(
      ({ ignored, role, properties = [] }) =>
        !ignored &&
        isHeading(role?.value, Number(properties.find(({ name }) => name === 'level')?.value.value)),
    )
    expect(levels).toHaveLength(path === 'docs' ? 2 : 1)
  })

  test('shows what is chosen in the colours of the system, and moves nothing', async ({
    open,
    skip,
    onTestFinished,
  }) => {
    const { page, urlOf } = await openDashboard({ open, skip, onTestFinished })
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await show(page, urlOf(`#/${path}`), title)
    const grounds = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.menu a')].map(link => getComputedStyle(link).backgroundColor)`,
    )
    expect(new Set(grounds).size).toBe(2)
    const moving = await page.evaluate(`[...document.querySelectorAll('*')].filter(element => {
      const { transitionDuration, animationName } = getComputedStyle(element)
      return animationName !== 'none' || /[1-9]/.test(transitionDuration)
    }).length`)
    expect(moving).toBe(0)
  })
})

test('live regions keep still while calls come', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  await page.getByText('No calls yet').waitFor()
  await page.evaluate(`
    window.changes = 0
    window.regions = document.querySelectorAll('[role=status], [role=alert], [role=log], [aria-live]')
    for (const region of regions)
      new MutationObserver(all => { changes += all.length })
        .observe(region, { subtree: true, childList: true, characterData: true, attributes: true })`)
  const until = performance.now() + 1_500
  while (performance.now() < until)
    await Promise.all(Array.from({ length: 50 }, () => callApi(server, '/v1/pets?limit=1')))
  await page.getByRole('link', { name: 'limit=1' }).first().waitFor()
  expect(await page.evaluate('[regions.length, changes]')).toEqual([2, 0])
})
