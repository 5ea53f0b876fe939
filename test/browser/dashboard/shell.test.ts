import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

test('the dashboard shows a call, and loads nothing from elsewhere', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  const hosts = new Set<string>()
  page.on('request', request => hosts.add(new URL(request.url()).host))
  await page.getByText('No calls yet').waitFor()
  await callApi(server, '/v1/pets?limit=2')
  await page.getByRole('link', { name: '/v1/pets?limit=2' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: '/v1/pets?limit=2' }).waitFor()
  expect([...hosts]).toEqual([server.host])
  await expectNothingSerious(page)
})

test('a part that comes after somebody went on does not replace the next one', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, urlOf } = await openDashboard({ open, skip, onTestFinished })
  await page.getByText('No calls yet').waitFor()
  let isLate = false
  await page.route(/\/assets\/pets-[^/]*\.js$/, async route => {
    await page.getByRole('heading', { name: 'Flight' }).waitFor()
    isLate = true
    await route.continue()
  })
  const asked = page.waitForRequest(/\/assets\/pets-[^/]*\.js$/)
  await page.goto(urlOf('#/pets'))
  await asked
  await page.goto(urlOf('#/flight'))
  await expect.poll(() => isLate).toBe(true)
  await page.waitForTimeout(300)
  expect(await page.getByRole('heading', { name: 'Flight' }).count()).toBe(1)
})

test('? lists the keys', async ({ open, skip, onTestFinished }) => {
  const { page } = await openDashboard({ open, skip, onTestFinished })
  await page.getByText('No calls yet').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Next request').waitFor()
  await expectNothingSerious(page)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a server with --admin-token asks for it, and the tab keeps it', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { token: 'hush-hush' } },
  )
  const urls: string[] = []
  page.on('request', request => urls.push(request.url()))
  await page.getByRole('heading', { name: 'This server is locked' }).waitFor()
  await expectNothingSerious(page)
  await page.getByLabel('Admin token').fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The token is not the value of --admin-token.').waitFor()
  await page.getByLabel('Admin token').fill('geheimwörd 🐾')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('This is not the token').waitFor()
  await page.getByLabel('Admin token').fill('hush-hush')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('No calls yet').waitFor()
  await page.reload()
  await callApi(server, '/v1/pets')
  await page.getByRole('link', { name: '/v1/pets' }).waitFor()
  expect(urls.filter(url => url.includes('hush'))).toEqual([])
  // The browser reports each 401.
  expect(complaints.splice(0).filter(text => !text.includes('401'))).toEqual([])
})

test('a server that other machines reach says what opens it', async ({ open, skip, onTestFinished }) => {
  const { page, complaints, urlOf } = await openDashboard(
    { open, skip, onTestFinished },
    { server: { listen: '0.0.0.0' } },
  )
  await page.getByRole('heading', { name: 'This server shows nothing' }).waitFor()
  await page.getByText('pet-mock --admin-token SECRET').waitFor()
  expect(await page.getByLabel('Admin token').count()).toBe(0)
  await expectNothingSerious(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'This server shows nothing' }).waitFor()
  await page.goto(urlOf('panel'))
  await page.getByText('The admin plane is closed').waitFor()
  // The browser reports each 403.
  expect(complaints.splice(0).filter(text => !text.includes('403'))).toEqual([])
})

test('a sandbox without calls leads to those that have some', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/requests' })
  for (const key of ['demo-free+worker-1', 'demo-free+worker-1', 'demo-free+worker-2'])
    await callApi(server, '/v1/pets', { key })
  await page.getByText('No calls in default yet').waitFor()
  await expectNothingSerious(page)
  await page.getByRole('link', { name: 'worker-1' }).click()
  await expect.poll(() => page.getByRole('link', { name: 'GET /v1/pets' }).count()).toBe(2)
})
