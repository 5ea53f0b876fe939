import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const openDashboard = describeDashboard()

const wide = 'document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth'

test('the end of the time that a clock can show, frozen and not', async ({ open, skip, onTestFinished }) => {
  const scenario = scenarioOf({ clock: { at: '9899-12-31T23:59:59Z', frozen: true } })
  const { page, complaints } = await openDashboard({ open, skip, onTestFinished }, { server: { scenario } })
  const clock = page.locator('.clock-menu')
  await clock.getByRole('button').click()
  await clock.getByText('9899-12-31').first().waitFor()
  await clock.getByText('23:59:59').waitFor()
  await clock
    .getByText(/^Frozen, |Frozen, /)
    .first()
    .waitFor()
  for (const name of ['+1 day', '3600×', 'Freeze', 'Back to real time'])
    await clock.getByRole('button', { name, exact: true }).click()
  await clock
    .locator('time')
    .getByText(/\d{2}:\d{2}:\d{2}/)
    .waitFor()
  expect(await page.evaluate(wide)).toBe(false)
  // The browser reports a move that the server refuses.
  expect(complaints.splice(0).filter(text => !text.includes('400'))).toEqual([])
})

test('no pets and no keys', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/pets', server: { scenario: scenarioOf({ pets: { count: 0 } }) } },
  )
  await page.getByText('0 in the store').waitFor()
  await page.getByText('The store is empty').waitFor()
  const { keys } = JSON.parse(await (await fetch(`http://${server.host}/__admin/keys`)).text())
  for (const { key } of keys) await fetch(`http://${server.host}/__admin/keys/${key}`, { method: 'DELETE' })
  await page.goto(urlOf('#/keys'))
  await page.getByText('There are no keys').waitFor()
  await page.goto(urlOf('#/docs/api/listPets'))
  expect(await page.getByLabel('API key').inputValue()).toBe('')
  await expectNothingSerious(page)
})

test('a key of 500 characters, a name of 300, and texts from right to left', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { scenario: scenarioOf({ pets: { count: 0 } }) }, width: 360 },
  )
  const post = (path: string, body: object) =>
    fetch(`http://${server.host}/__admin/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const key = 'k'.repeat(500)
  const name = 'long'.repeat(75)
  const turned = '\u202eمرحبا abc'
  expect((await post('keys', { key, plan: 'free' })).status).toBe(201)
  for (const one of [name, turned])
    expect((await post('pets', { name: one, categoryId: 1 })).status).toBe(201)
  await callApi(server, `/v1/pets?${name}=${encodeURIComponent(turned)}`, { key })
  for (const [part, text] of [
    ['keys?key=kkk', key],
    ['pets', name],
    ['pets', turned],
    ['requests', name],
    ['requests/1', name],
    ['findings', 'unknown-parameter'],
    ['flight', 'kkk'],
  ] as const) {
    await page.goto(urlOf(`#/${part}`))
    if (text === key) await page.getByRole('button', { name: /^Show k+…/ }).click()
    await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor()
    expect(await page.evaluate(wide), part).toBe(false)
  }
  // What stands beside such a text keeps its place.
  await page.goto(urlOf('#/pets'))
  const row = page.getByRole('row').filter({ hasText: 'abc' })
  const cells = await row.locator('th, td').all()
  const lefts = await Promise.all(cells.map(async cell => (await cell.boundingBox())?.x ?? 0))
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other))
})
