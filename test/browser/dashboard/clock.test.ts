import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const openDashboard = describeDashboard()

test('the clock in the top bar is moved, frozen and scaled, and every page shows that it moved', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { scenario: scenarioOf({ clock: {} }) } },
  )
  const clock = async (part = ''): Promise<ReturnType<typeof JSON.parse>> => {
    const response = await fetch(`http://${server.host}/__admin/clock${part}`)
    return JSON.parse(await response.text())
  }
  const bar = page.getByRole('region', { name: 'Clock', exact: true })
  const click = (name: string) => bar.locator('.folded').getByRole('button', { name, exact: true }).click()
  await page.getByText('No calls yet').waitFor()
  await page.keyboard.press('t')
  await page.getByText('The emulator goes by the clock of its machine.').waitFor()
  expect(await bar.getAttribute('data-moved')).toBe('false')

  await click('+1 h')
  await page.getByText(/It runs, (1 h|59 min 59 s|59 min 60 s).* ahead of real time\./).waitFor()
  expect(await bar.getAttribute('data-moved')).toBe('true')
  await expectNothingSerious(page)
  await click('Freeze')
  await page.getByText(/Frozen, /).waitFor()
  expect(await clock()).toMatchObject({ frozen: true })
  await bar
    .getByRole('button', { name: /^Clock: / })
    .getByText('frozen')
    .waitFor()
  await click('30×')
  await page.getByText(/It runs 30 times as fast/).waitFor()
  await click('1×')

  expect(await page.getByRole('button', { name: 'To the next reset' }).isDisabled()).toBe(true)
  await callApi(server, '/v1/pets')
  const { reset } = await clock('/moments')
  await click('To the next reset')
  await page.getByRole('button', { name: 'To the next reset', disabled: false }).waitFor()
  expect(Date.parse((await clock()).at)).toBeGreaterThanOrEqual(Date.parse(reset))
  await click('To midnight')
  await click('To the removal')
  await bar.getByText('2030-12-05').waitFor()
  await page.getByText('nothing is left to remove').waitFor()

  await click('Back to real time')
  await page.getByText('The emulator goes by the clock of its machine.').waitFor()
  await expect.poll(() => bar.getAttribute('data-moved')).toBe('false')

  await page.goto(urlOf('#/docs'))
  await page.getByText('The emulator goes by').waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: '+1 min' }).click()
  await expect.poll(() => bar.getAttribute('data-moved')).toBe('true')
  await bar.getByRole('button', { name: 'Freeze' }).click()
  await bar.getByRole('button', { name: 'Run' }).click()
  await expect.poll(clock).toMatchObject({ frozen: false, scale: 1 })
})

test('an old link to the clock leads to the Overview, whose top bar has it', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/time' })
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  expect(await page.title()).toBe('Overview · pet-mock')
  await page.getByRole('button', { name: /^Clock: / }).click()
  await page.getByRole('heading', { name: 'Speed' }).waitFor()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).click()
  await page.getByRole('heading', { name: 'Speed' }).waitFor({ state: 'detached' })
})

test('the clock goes on to the next moments as a fast clock passes them, and says how far the clock is ahead', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { scenario: scenarioOf({ clock: { at: '2026-03-02T23:00:00Z' } }) } },
  )
  await callApi(server, '/v1/pets')
  await page.getByRole('button', { name: /^Clock: / }).click()
  await page.getByRole('button', { name: 'To the next reset', disabled: false }).waitFor()
  const ahead = page.locator('.clock-menu .folded > p').first()
  await page.getByRole('button', { name: '3600×', exact: true }).click()
  await ahead.getByText('It runs 3600 times as fast').waitFor()
  const before = await ahead.textContent()
  await page.locator('.clock-menu').getByText('2026-03-03').waitFor()
  await expect.poll(() => ahead.textContent()).not.toBe(before)
  // The next midnight is almost a day away.
  await page
    .locator('li', { hasText: 'To midnight' })
    .getByText(/in 2[0-3] h/)
    .waitFor()
})
