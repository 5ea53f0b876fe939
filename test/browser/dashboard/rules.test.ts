import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

test.for([1280, 360])(
  'a rule is made by a form, turned off and on, and removed at %i px',
  async (width, { open, skip, onTestFinished }) => {
    const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/rules', width })
    await page.getByText('No active rules.').waitFor()
    await page.getByText('All fields', { exact: true }).click()
    const form = page.getByRole('form', { name: 'Add a rule' })
    await form.getByLabel('name', { exact: true }).fill('outage')
    await form
      .getByRole('group', { name: /^match/ })
      .getByLabel('operation')
      .selectOption('listPets')
    await form.getByRole('group', { name: /^when/ }).getByLabel('first').fill('5')
    await form.getByRole('group', { name: /^then/ }).getByLabel('status').fill('503')
    await expectNothingSerious(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByText('outage acts from now on.').waitFor()
    expect(await callApi(server, '/v1/pets')).toBe(503)
    await page.getByText('acted 1 times').waitFor()
    await page.getByRole('button', { name: 'On: outage' }).click()
    await page.getByText('off', { exact: true }).waitFor()
    expect(await callApi(server, '/v1/pets')).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Off: outage' }).click()
    await expect.poll(() => page.getByText('off', { exact: true }).count()).toBe(0)
    expect(await callApi(server, '/v1/pets')).toBe(503)
    await page.getByRole('button', { name: 'Delete outage' }).click()
    await page.getByText('No active rules.').waitFor()
    expect(await callApi(server, '/v1/pets')).toBe(200)
  },
)

test('a rule that cannot be says why', async ({ open, skip, onTestFinished }) => {
  const { page, complaints } = await openDashboard({ open, skip, onTestFinished }, { place: '#/rules' })
  await page.getByText('All fields', { exact: true }).click()
  const form = page.getByRole('form', { name: 'Add a rule' })
  await form.getByRole('group', { name: /^then/ }).getByLabel('status').fill('99')
  await form.getByRole('button', { name: 'Add' }).click()
  await page
    .getByRole('alert')
    .getByText(/then\.status/)
    .waitFor()
  complaints.splice(0, complaints.length, ...complaints.filter(text => !text.includes('400')))
})

test('the form begins with the faults that people want', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/rules' })
  const form = page.getByRole('form', { name: 'Add a rule' })
  await form.waitFor()
  const faults = ['Fail with 503', 'Delay the response', 'Lose the response', 'Cut the body', 'Never answer']
  for (const [made, name] of faults.entries()) {
    await form.getByRole('button', { name, exact: true }).click()
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => server.emulator.sandboxes.default.rules.list().length).toBe(made + 1)
  }
  await expectNothingSerious(page)
  for (const number of [5, 4, 3, 2]) {
    const button = page.getByRole('button', { name: `Delete rule-${number}` })
    await button.click()
    // The others move up.
    await button.waitFor({ state: 'detached' })
  }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  const create = () => callApi(server, '/v1/pets', { ...init, body: '{"name":"Rex","categoryId":1}' })
  expect([await create(), await create()]).toEqual([503, 201])
})
