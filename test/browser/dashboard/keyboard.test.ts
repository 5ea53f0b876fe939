import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { callApi, dashboardParts, describeDashboard } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

/** What has the focus: its name or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: active } = document
    if (active === null || active === document.body) return 'nothing'
    return active.getAttribute('aria-label') ?? (active.textContent || active.id || active.type)
  })()`)
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Parts' })

interface Seen {
  readonly isInside: boolean
  readonly isVisible: boolean
  readonly what: string
}

test('every part is reached by Tab and Enter, and all in it has a visible focus', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets')
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  for (const [title] of dashboardParts) {
    await menu(page).getByRole('link', { name: title }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe(`${title} · pet-mock`)
    await page.locator('main h1').first().waitFor({ state: 'attached' })
    await page.waitForTimeout(300)
    const wanted = await page.evaluate<number>(
      `[...main.querySelectorAll('a[href], button, input, select, textarea, summary')]
        .filter(one => one.checkVisibility() && !one.matches(':disabled')).length`,
    )
    await menu(page).getByRole('link').last().focus()
    const unseen: string[] = []
    let reached = 0
    for (; reached < Math.min(wanted, 25); reached += 1) {
      await page.keyboard.press('Tab')
      const { isInside, isVisible, what } = await page.evaluate<Seen>(`(() => {
        const active = document.activeElement ?? document.body
        const { outlineStyle, outlineWidth } = getComputedStyle(active)
        return {
          isInside: main.contains(active),
          isVisible: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
          what: active.outerHTML.slice(0, 100),
        }
      })()`)
      expect(isInside, `${title}: ${reached} of ${wanted}, then ${what}`).toBe(true)
      if (!isVisible) unseen.push(what)
    }
    expect(unseen, title).toEqual([])
  }
})

test('j, k, Escape, / and t go where they say, and Close leads back to the row', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  for (const limit of [1, 2, 3]) await callApi(server, `/v1/pets?limit=${limit}`)
  await page.getByRole('link', { name: 'limit=3' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('region', { name: 'Request 3' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('region', { name: 'Request 2' }).waitFor()
  await page.getByRole('button', { name: 'Earlier call of this key' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Request 1' }).getByText('Why').waitFor()
  await expect.poll(() => focused(page)).toMatch(/^(Earlier|Later) call of this key$/)
  await page.getByRole('link', { name: 'Close' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Request 1' }).waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toContain('limit=1')
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.type')).toBe('search')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Move' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Move' }).waitFor({ state: 'detached' })
  expect(await focused(page)).toMatch(/^Clock: /)
})

test('? opens a dialog, and Escape gives the focus back', async ({ open, skip, onTestFinished }) => {
  const { page } = await openDashboard({ open, skip, onTestFinished })
  await page.getByRole('button', { name: '+1 min' }).focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  expect(await focused(page)).toBe('Close')
  await page.keyboard.press('Escape')
  expect(await focused(page)).toBe('+1 min')
})

describe('the focus stays near when its element goes', () => {
  test('a pet is edited, saved and deleted', async ({ open, skip, onTestFinished }) => {
    const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/pets' })
    const edit = page.getByRole('button', { name: /^Change/ })
    const second = await edit.nth(1).getAttribute('aria-label')
    await edit.first().focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate("document.activeElement.closest('form')?.ariaLabel")).toMatch(/^Pet \d/)
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: /^Pet / }).waitFor({ state: 'detached' })
    expect(await focused(page)).toMatch(/^(Change|Delete) /)
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => edit.first().getAttribute('aria-label')).toBe(second)
    expect(await focused(page)).toBe(second?.replace('Change', 'Delete'))
  })

  test('a key is banned, and the ban lifted', async ({ open, skip, onTestFinished }) => {
    const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/keys' })
    await page.getByRole('button', { name: 'Ban', exact: true }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Lift the ban' }).waitFor()
    expect(await focused(page)).toBe('Lift the ban')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Lift the ban' }).waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Ban')
  })

  test('a link leads to another part', async ({ open, skip, onTestFinished }) => {
    const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/keys' })
    await page.locator('main').getByRole('link', { name: 'Requests' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Requests' }).waitFor()
    expect(await page.evaluate('main.contains(document.activeElement)')).toBe(true)
  })

  test('a walkthrough is played', async ({ open, skip, onTestFinished }) => {
    const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/situation/ban' })
    await page.getByRole('button', { name: 'Begin', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Begin again' }).waitFor()
    const next = page.getByRole('button', { name: 'Next step' })
    await next.focus()
    for (const done of [1, 2]) {
      await page.keyboard.press('Enter')
      await expect
        .poll(() => page.locator('.walkthrough .badge, .walkthrough li .muted').count())
        .toBeGreaterThanOrEqual(done)
      expect(await focused(page)).toBe('Next step')
    }
  })
})
