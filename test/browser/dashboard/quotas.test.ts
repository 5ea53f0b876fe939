import { expect } from 'vitest'
import { callApi, dashboardParts, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const openDashboard = describeDashboard()

test('Keys spends, refills, bans and changes the plan of a key', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/keys' })
  const key = page.getByRole('region', { name: 'Key demo-free' })
  const click = (name: string) => key.getByRole('button', { name }).click()
  await key.getByText('60 of 60 left this minute').waitFor()
  await callApi(server, '/v1/pets')
  await key.getByText('59 of 60 left this minute').waitFor()
  await key.getByText('resets in 1 min').waitFor()
  await key.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('link', { name: '/v1/pets' }).waitFor()
  await page.goBack()

  await click('Leave one call')
  await key.getByText('1 of 60 left this minute').waitFor()
  expect(await callApi(server, '/v1/pets')).toBe(200)
  expect(await callApi(server, '/v1/pets')).toBe(429)
  await key.getByText('1 of 10 strikes').waitFor()
  await expectNothingSerious(page)

  await click('Refill')
  await key.getByText('60 of 60 left this minute').waitFor()
  await click('Ban')
  await key.getByText(/banned for/).waitFor()
  expect(await callApi(server, '/v1/pets')).toBe(429)
  await click('Lift the ban')
  await key.getByText(/banned for/).waitFor({ state: 'detached' })
  await click('Revoke')
  await key.getByText('revoked').waitFor()
  expect(await callApi(server, '/v1/pets')).toBe(401)
  await click('Restore')

  await key.getByLabel('Plan').selectOption('pro')
  await key.getByText('300 of 300 left this minute').waitFor()
})

test('the bar of a window fills when the window is over on the emulator’s clock', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/keys' })
  const key = page.getByRole('region', { name: 'Key demo-free' })
  await callApi(server, '/v1/pets')
  await key.getByText('59 of 60 left this minute').waitFor()
  await fetch(`http://${server.host}/__admin/clock/resume`, {
    method: 'POST',
    body: '{"scale":60}',
    headers: { 'Content-Type': 'application/json' },
  })
  await key.getByText('60 of 60 left this minute').waitFor()
})

test('a key of another sandbox leads to its requests', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  // The first call makes the sandbox.
  await callApi(server, '/v1/pets', { key: 'demo-free+worker-3' })
  await page.goto(urlOf('#/keys?sandbox=worker-3'))
  const key = page.getByRole('region', { name: 'Key demo-free' })
  await key.getByText('59 of 60 left this minute').waitFor()
  await key.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('link', { name: '/v1/pets' }).waitFor()
})

test('only the shipped keys are whole; another one is, on Keys, once somebody asks for it', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const secret = 'partner-key-of-somebody'
  const { page, server, urlOf } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { scenario: scenarioOf({ key: secret, keys: { [secret]: { plan: 'pro' } } }) } },
  )
  await page.getByText("-H 'Authorization: Bearer partne…'").waitFor()
  await callApi(server, '/v1/pets', { key: secret })
  await callApi(server, '/v1/pets?unknown=yes')
  for (const [, path] of dashboardParts) {
    await page.goto(urlOf(`#/${path}`))
    await page.locator('main h1').first().waitFor({ state: 'attached' })
    await page.waitForTimeout(400)
    const shown = await page.locator('body').textContent()
    expect(shown, path).not.toContain(secret)
    expect(shown, path).not.toContain('demo-f…')
  }
  await page.goto(urlOf('#/docs/api/listPets'))
  await page.getByText('Bearer partne…').waitFor()
  await page.goto(urlOf('#/keys'))
  await page.getByRole('heading', { name: 'demo-enterprise' }).waitFor()
  const key = page.getByRole('region', { name: 'Key partne…' })
  await key.getByRole('button', { name: 'Show partne…' }).click()
  await key.getByText(secret).waitFor()
  await expectNothingSerious(page)
  await key.getByRole('button', { name: 'Hide partne…' }).click()
  await key.getByText(secret).waitFor({ state: 'detached' })
  await page.goto(urlOf('#/requests/2'))
  await page.getByText('Bearer demo-free').waitFor()
})
