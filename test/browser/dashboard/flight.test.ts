import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const openDashboard = describeDashboard()

test('Flight draws the calls live, and chooses requests with the mouse or the keyboard', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const scenario = scenarioOf({ clock: {}, keys: { 'demo-free': { used: { minute: 58 } } } })
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/flight', server: { scenario } },
  )
  await page.getByText('No calls yet').waitFor()
  for (let made = 0; made < 5; made += 1) await callApi(server, '/v1/pets')
  const picture = page.getByRole('img', { name: /^Calls over time: / })
  await picture.getByText('5 calls: 2 served, 3 refused with 429. 1 wait.').waitFor({ state: 'attached' })
  await expectNothingSerious(page)
  // A narrow page scrolls the picture.
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNothingSerious(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  const { x = 0, y = 0, width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
  await page.mouse.move(x + width * 0.03, y + height * 0.3)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.99, y + height * 0.3, { steps: 4 })
  await page.mouse.up()
  await page.locator('.brush').waitFor()
  await page.getByRole('button', { name: 'Show 5 requests' }).waitFor()

  await page.getByLabel(/^First request of/).focus()
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Show 3 requests' }).click()
  await page.getByRole('list', { name: 'Requests' }).getByText('429').nth(2).waitFor()
  expect(await page.getByRole('list', { name: 'Requests' }).getByRole('listitem').count()).toBe(3)
})
