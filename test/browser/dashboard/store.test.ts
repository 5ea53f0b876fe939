import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()
const markup = '<img src=x onerror=alert(1)>'

test('Pets adds, finds, edits and deletes a pet, and shows markup in its name as text', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/pets' })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByText('100 in the store').waitFor()
  await click('Next page')
  await page.getByRole('cell', { name: '26', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('cell', { name: '1', exact: true }).first().waitFor()

  await click('Add a pet')
  await page.getByLabel('Name', { exact: true }).fill(markup)
  await page.getByLabel('Category', { exact: true }).fill('9007199254740993')
  await click('Save')
  await page.getByText('101 in the store').waitFor()
  await page.getByLabel('Find a name').fill('onerror')
  await page.getByRole('rowheader', { name: markup }).waitFor()
  await page.getByText('9007199254740993').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await expectNothingSerious(page)

  await click(`Change ${markup}`)
  await page.getByRole('form').getByLabel('Status').selectOption('sold')
  await click('Save')
  await page.getByRole('cell', { name: 'sold' }).waitFor()
  await click(`Delete ${markup}`)
  await page.getByText('No pet matches').waitFor()
  expect(await callApi(server, '/v1/pets/101')).toBe(404)
})

test('Sandboxes shows, resets and drops one', async ({ open, skip, onTestFinished }) => {
  const { page, server, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/sandboxes' },
  )
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await callApi(server, '/v1/pets?limit=7', { key: 'demo-free+worker-3' })
  await page.getByRole('heading', { name: 'worker-3' }).waitFor()
  await page.getByText('100 pets, 4 keys, 1 request', { exact: true }).waitFor()
  await expectNothingSerious(page)
  await click('Show worker-3')
  await page.getByRole('link', { name: '/v1/pets?limit=7' }).waitFor()
  await page.getByText('sandbox worker-3').waitFor()
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  await click('Reset worker-3')
  await page.getByText('worker-3 restarted.').waitFor()
  await click('Delete worker-3')
  await page.getByRole('heading', { name: 'worker-3' }).waitFor({ state: 'detached' })
  // What the page asked just before, the server may read after the sandbox was dropped.
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter(text => !/404 .*sandbox=worker-3\b/.test(text)),
  )
})

test('Findings lead to the calls that show them', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/findings' })
  await page.getByText('16 checks: no call was made').waitFor()
  await callApi(server, '/v1/pets/1')
  await callApi(server, '/v1/pets/3333')
  const finding = page.getByRole('region', { name: 'deprecated-operation' })
  await finding
    .getByText(/^\d\d:\d\d:\d\d\.\d{3} · one of 2 calls from \S+ \(user-agent\); removal on 2030-12-05$/)
    .waitFor()
  await expectNothingSerious(page)
  await finding.getByRole('link', { name: '/v1/pets/1' }).click()
  await page.getByText('Evidence of').waitFor()
})
