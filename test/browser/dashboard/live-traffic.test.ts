import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { type ServerOptions, serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const openDashboard = describeDashboard()
const unlimited: ServerOptions = {
  scenario: scenarioOf({ plans: { free: { minute: 1_000_000, day: 1_000_000 } } }),
  journal: { entries: 5_000, bytes: 64 * 1_048_576 },
}

const list = (page: Page) => page.getByRole('list', { name: 'Requests, the newest first' })
const lines = (page: Page) => list(page).getByRole('listitem')
const texts = async (page: Page) =>
  (await lines(page).allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' '))

test('a call shows method, path, status, key, plan, what is left and its time', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  await page.getByText('No calls yet').waitFor()
  await callApi(server, '/v1/pets?limit=2')
  await callApi(server, '/v1/pets/999', { key: 'demo-pro' })
  await lines(page).nth(1).waitFor()
  expect(await texts(page)).toEqual([
    expect.stringMatching(
      /^12:00:00\.\d{3} GET \/v1\/pets\/999 404 pet_not_found demo-pro pro 299 (<1|\d+) ms$/,
    ),
    expect.stringMatching(/^12:00:00\.\d{3} GET \/v1\/pets\?limit=2 200 demo-free free 59 (<1|\d+) ms$/),
  ])
})

test('a call says which key it sent, and that no time was measured', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  // Doors measure no time before the first call to the admin plane.
  server.emulator.handle({
    method: 'GET',
    target: '/v1/pets',
    headers: ['Host', server.host],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: Date.now(),
  })
  await callApi(server, '/v1/pets', { key: 'nobody' })
  await callApi(server, '/pets', { key: 'nobody' })
  await lines(page).nth(2).waitFor()
  expect(await texts(page)).toEqual([
    expect.stringMatching(/ \/pets 404 route_not_found no valid key (<1|\d+) ms$/),
    expect.stringMatching(/ \/v1\/pets 401 invalid_api_key unknown key 58 (<1|\d+) ms$/),
    expect.stringMatching(/ \/v1\/pets 401 missing_api_key no key 59 –$/),
  ])
  await page.goto(urlOf('#/requests/2'))
  await page.getByText(/^#2 · \S+ · unknown key$/).waitFor()
})

test('without calls, there is one to paste, with the key of the situation', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const scenario = scenarioOf({ key: 'demo-pro' })
  const { page } = await openDashboard({ open, skip, onTestFinished }, { server: { scenario } })
  await page.getByText('No calls yet').waitFor()
  await page.getByText("-H 'Authorization: Bearer demo-pro'").waitFor()
})

test('search and filters are in the URL, and a reload keeps them', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets?limit=2')
  await callApi(server, '/v1/pets/999')
  await callApi(server, '/v1/pets', { key: 'nobody' })
  await callApi(server, '/v1/pets', { headers: { Prefer: 'code=503' } })
  await lines(page).nth(3).waitFor()
  await page.getByLabel('Status').selectOption('4xx')
  await expect.poll(() => lines(page).count()).toBe(2)
  await page.keyboard.press('/')
  await page.keyboard.type('999')
  await expect.poll(() => lines(page).count()).toBe(1)
  expect(new URL(page.url()).hash).toBe('#/requests?status=4xx&q=999')
  await page.reload()
  await expect.poll(() => lines(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('button', { name: 'Injected' }).click()
  await expect.poll(() => texts(page)).toEqual([expect.stringContaining('503')])
  await page.getByRole('button', { name: 'Injected' }).click()
  await page.getByLabel('Operation').selectOption('getPet')
  await expect.poll(() => lines(page).count()).toBe(1)
})

test('no place in the URL changes the server', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets')
  await lines(page).first().waitFor()
  const revision = server.emulator.revision()
  for (const place of [
    '?reset=true',
    '#/requests?reset=true&clear=yes',
    '#/requests/1?ban=demo-free',
    '#/reset',
  ]) {
    await page.goto(urlOf(place))
    await page.getByText('Live', { exact: true }).waitFor()
  }
  expect(server.emulator.revision()).toBe(revision)
})

test('j, k, Enter and Escape walk through the rows', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  for (const limit of [1, 2, 3]) await callApi(server, `/v1/pets?limit=${limit}`)
  await lines(page).nth(2).waitFor()
  const opened = () => page.getByRole('region', { name: /^Request \d/ }).getAttribute('aria-label')
  await page.keyboard.press('j')
  await expect.poll(opened).toBe('Request 3')
  await page.keyboard.press('j')
  await expect.poll(opened).toBe('Request 2')
  await page.keyboard.press('k')
  await expect.poll(opened).toBe('Request 3')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('region', { name: /^Request \d/ }).count()).toBe(0)
})

test('a paused list holds still and counts what waits', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets')
  await lines(page).first().waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  for (let count = 0; count < 3; count += 1) await callApi(server, '/v1/pets')
  await page.getByRole('button', { name: 'Paused, 3 new' }).waitFor()
  expect(await lines(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Paused, 3 new' }).click()
  await expect.poll(() => lines(page).count()).toBe(4)
})

test('a hidden tab reads nothing, and says what it missed', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { server: unlimited })
  await callApi(server, '/v1/pets')
  await lines(page).first().waitFor()
  await showTab(page, 'hidden')
  await page.getByText('Paused', { exact: true }).waitFor()
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await Promise.all(Array.from({ length: 400 }, () => callApi(server, '/v1/pets?limit=1')))
  await page.waitForTimeout(700)
  expect(asked).toEqual([])
  await showTab(page, 'visible')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('li[aria-setsize="252"]').first().waitFor()
  await list(page).evaluate(element => element.parentElement?.scrollTo(0, 250 * 30))
  await page.getByText('150 calls not shown').waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => page.getByText('calls not shown').count()).toBe(0)
})

async function showTab(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
     document.dispatchEvent(new Event('visibilitychange'))`,
  )
}

test('after a restart of the server, the page says so and shows no ghosts', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, complaints, restart } = await openDashboard({ open, skip, onTestFinished })
  for (let count = 0; count < 3; count += 1) await callApi(server, '/v1/pets')
  await expect.poll(() => lines(page).count()).toBe(3)
  await server.door.close(0)
  await page.getByText('The server does not answer.').waitFor()
  await expectNothingSerious(page)
  const after = await restart()
  await page.getByText(/^The server was restarted at/).waitFor()
  await page.getByText('No calls yet').waitFor()
  await callApi(after, '/v1/pets?limit=7')
  await expect.poll(() => texts(page)).toEqual([expect.stringContaining('limit=7')])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => page.getByText(/^The server was restarted at/).count()).toBe(0)
  // The browser reports the connection that broke.
  complaints.splice(0, complaints.length, ...complaints.filter(text => !/ERR_/.test(text)))
})

test('two pages agree, also when one empties the journal', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  const other = await page.context().browser()?.newPage()
  if (other === undefined) throw new Error('There is no browser')
  onTestFinished(() => other.close())
  await other.goto(urlOf('#/requests'))
  for (let count = 0; count < 3; count += 1) await callApi(server, '/v1/pets')
  for (const one of [page, other]) await expect.poll(() => lines(one).count()).toBe(3)
  expect(await texts(other)).toEqual(await texts(page))
  await fetch(`http://${server.host}/__admin/reset`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  })
  await callApi(server, '/v1/pets?limit=9')
  for (const one of [page, other])
    await expect.poll(() => texts(one)).toEqual([expect.stringContaining('limit=9')])
})

test.for([1280, 360])(
  'a full list at %i px is readable and no wider than the page',
  async (width, { open, skip, onTestFinished }) => {
    const { page, server } = await openDashboard({ open, skip, onTestFinished }, { width })
    for (let count = 0; count < 75; count += 1) await callApi(server, `/v1/pets?limit=${count}`)
    await lines(page).nth(20).waitFor()
    await expectNothingSerious(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  },
)
