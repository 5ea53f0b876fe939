import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'

const openDashboard = describeDashboard()
const run = promisify(execFile)

test('the old address leads to the reference, where a route is found by its words', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  await page.goto(urlOf('docs'))
  await page.getByRole('heading', { name: 'The admin plane of pet-mock' }).waitFor()
  expect(page.url()).toBe(urlOf('#/docs/admin'))
  expect(await page.getByRole('complementary').getByRole('listitem').count()).toBeGreaterThan(35)
  await page.keyboard.press('/')
  await page.keyboard.type('clock forward')
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /clock\/advance/ })
    .click()
  expect(page.url()).toContain('#/docs/admin/advanceClock')
  const route = page.getByRole('article', { name: 'advanceClock' })
  await route.getByText('The duration.').waitFor()
  await route.getByText('invalid_admin_token').waitFor()
  await route.getByText(`http://${server.host}/__admin/clock/advance`).waitFor()
  await expectNothingSerious(page)
})

test('the curl line of a route does what the page says', async ({ open, skip, onTestFinished }) => {
  requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/docs/admin/advanceClock' },
  )
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').waitFor()
  const before = server.emulator.sandboxes.default.clock.at
  await run('sh', ['-c', await page.evaluate<string>('navigator.clipboard.readText()')])
  expect(server.emulator.sandboxes.default.clock.at).toBe(before + 60_000)
})

test('the contract has a form, fields, answers and examples', async ({ open, skip, onTestFinished }) => {
  const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/docs' })
  await page.getByRole('heading', { name: 'Pet Adoption Service' }).waitFor()
  await page.getByRole('row', { name: 'Pro 300 10,000' }).waitFor()
  await page.getByRole('article').getByRole('link', { name: /POST/ }).click()
  const operation = page.getByRole('article', { name: 'createPet' })
  await operation.getByText('Bearer demo-free').waitFor()
  await operation.getByText('Identifier of the category').first().waitFor()
  await operation.getByText('Example: The required fields').click()
  await operation.getByText('"Luna"').first().waitFor()
  await operation.getByText('400', { exact: true }).first().click()
  await operation.getByText('Machine-readable error code.').first().waitFor()
  await expectNothingSerious(page)
  await operation.getByRole('form', { name: 'createPet' }).waitFor()
})

test('a schema within a schema opens, level by level', async ({ open, skip, onTestFinished }) => {
  const { page, urlOf } = await openDashboard({ open, skip, onTestFinished }, { place: '#/docs/admin' })
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /PUT .*scenario\b/ })
    .click()
  await page.getByText('Fields of scenario').first().click()
  await page.getByText('Fields of clock').first().click()
  await page.getByText('Where the clock starts.').first().waitFor()
  await page.goto(urlOf('#/docs/admin/nothing'))
  await page.getByText('There is no such operation').waitFor()
})

test('Docs at 360 px shows the list or one operation, no wider than the page', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, urlOf } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/docs/admin/listRequests', width: 360 },
  )
  await page.getByRole('article', { name: 'listRequests' }).waitFor()
  await expectNothingSerious(page)
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  expect(await width()).toBeLessThanOrEqual(360)
  await page.getByRole('link', { name: 'All operations' }).click()
  await page.getByRole('link', { name: /clock\/advance/ }).waitFor()
  expect(await width()).toBeLessThanOrEqual(360)
  await page.goto(urlOf('#/docs/api/listPets'))
  await page.getByRole('article', { name: 'listPets' }).waitFor()
  expect(await width()).toBeLessThanOrEqual(360)
})

test('of 5,000 operations, the first page has 300', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  await page.route('**/__admin/contract.json', route =>
    route.fulfill({
      json: {
        openapi: '3.1.0',
        info: { title: 'Many', version: '1' },
        servers: [{ url: `http://${server.host}/v1` }],
        paths: Object.fromEntries(
          Array.from({ length: 5_000 }, (_, index) => [
            `/many/${index}`,
            { get: { operationId: `get${index}`, responses: { 200: { description: 'It.' } } } },
          ]),
        ),
      },
    }),
  )
  await page.goto(urlOf('#/docs/api'))
  const many = page.getByRole('article', { name: 'Many' })
  await many.getByText('4700 more operations: search for them.').waitFor()
  expect(await many.getByRole('listitem').count()).toBe(300)
})
