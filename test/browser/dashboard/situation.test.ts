import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

test.for([1280, 360])(
  'a scenario is found and loaded by a click at %i px',
  async (width, { open, skip, onTestFinished }) => {
    const { page, server } = await openDashboard(
      { open, skip, onTestFinished },
      { place: '#/situation', width },
    )
    await page.getByRole('link', { name: 'Daily limit' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('exhaustion rate')
    await expect.poll(() => page.getByRole('button', { name: /^Load \w/ }).count()).toBe(1)
    await expectNothingSerious(page)
    await page.getByRole('button', { name: 'Load rate-limit-exhaustion' }).click()
    await page.getByText('rate-limit-exhaustion runs.').waitFor()
    expect(server.emulator.sandboxes.default.scenario.name).toBe('rate-limit-exhaustion')
    await page.getByRole('heading', { name: 'Rate limit exhaustion', level: 1 }).waitFor()
    await page
      .getByTitle('The situation that the server plays')
      .getByText('Rate limit exhaustion')
      .waitFor({ state: 'attached' })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  },
)

test('a walkthrough is played step by step', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/situation/rate-limit-exhaustion' },
  )
  await page.getByRole('button', { name: 'Begin' }).click()
  for (let played = 1; played <= 4; played += 1) {
    await page.getByRole('button', { name: 'Next step' }).click()
    await expect.poll(() => page.getByText('as expected').count()).toBe(played)
  }
  expect(await page.getByRole('button', { name: 'Next step' }).isDisabled()).toBe(true)
  await expectNothingSerious(page)
  expect([...server.emulator.sandboxes.default.journal].map(({ reply }) => reply.status)).toEqual([
    200, 200, 200, 429, 200,
  ])
  await page.getByRole('button', { name: 'Play all' }).click()
  await expect.poll(() => page.getByText('as expected').count()).toBe(4)
})

test('the present state is saved as a scenario file, and loaded as an own scenario', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/situation' },
  )
  const pet = JSON.stringify({ name: '<img src=x onerror=alert(1)>', categoryId: 1 })
  await callApi(server, '/v1/pets', {
    method: 'POST',
    body: pet,
    headers: { 'Content-Type': 'application/json' },
  })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the present state' }).click(),
  ])
  const file = await download.path()
  expect(JSON.stringify(parse(await readFile(file, 'utf8')))).toContain('onerror')
  await page.getByRole('button', { name: 'Restart' }).click()
  await page.getByText('The scenario restarted.').waitFor()
  expect(server.emulator.sandboxes.default.pets.size).toBe(100)
  await page.getByLabel('A file').setInputFiles(file)
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByText('Your scenario runs.').waitFor()
  expect(server.emulator.sandboxes.default.pets.size).toBe(101)
  const rex = '{ name: Rex, categoryId: 9223372036854775807 }'
  await page.getByLabel('The scenario').fill(`pets: { count: 3, add: [${rex}] }`)
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await expect.poll(() => server.emulator.sandboxes.default.pets.size).toBe(4)
  await page.getByLabel('The scenario').fill('pets: { count: many }')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/pets\.count/)
    .waitFor()
  complaints.splice(0, complaints.length, ...complaints.filter(text => !text.includes('400')))
})

test('the walkthrough of an own scenario is played, too', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: '#/situation' })
  await page
    .getByLabel('The scenario')
    .fill(
      'title: Mine\nextends: free-plan\nwalkthrough:\n  - { call: GET /v1/pets/1, expect: { status: 200 } }\n  - { call: GET /v1/pets/0, expect: { status: 404 } }\n',
    )
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByRole('heading', { name: 'Walkthrough' }).waitFor()
  await page.getByRole('button', { name: 'Play all' }).click()
  await expect.poll(() => page.getByText('as expected').count()).toBe(2)
  await expectNothingSerious(page)
  expect([...server.emulator.sandboxes.default.journal].map(({ reply }) => reply.status)).toEqual([200, 404])
})
