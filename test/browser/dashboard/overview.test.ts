import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const openDashboard = describeDashboard()
const place = '#/overview'

const fault = (page: Page, name: string) =>
  page.getByRole('region', { name: 'One-click faults' }).getByRole('button', { name })
const isOn = (button: Locator) => button.getAttribute('aria-pressed')
const press = async (button: Locator, on: boolean) => {
  await button.click()
  await expect.poll(() => isOn(button)).toBe(`${on}`)
}

test.for([1280, 360, 1920])(
  'the first page shows quotas, refusals with reasons, findings, rules and calls a minute at %i px',
  async (width, { open, skip, onTestFinished }) => {
    const scenario = scenarioOf({ clock: {}, keys: { 'demo-free': { used: { minute: 57 } } } })
    const { page, server } = await openDashboard(
      { open, skip, onTestFinished },
      { place: '', width, server: { scenario } },
    )
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.getByText("-H 'Authorization: Bearer demo-free'").waitFor()
    await expectNothingSerious(page)
    await callApi(server, '/v1/pets?unknown=yes')
    for (let made = 1; made < 5; made += 1) await callApi(server, '/v1/pets')
    const quotas = page.getByRole('region', { name: 'Quotas of demo-free' })
    await quotas.getByRole('img', { name: '0 of 60 left this minute' }).waitFor()
    await quotas.getByRole('img', { name: /^9\d\d of 1000 left this day$/ }).waitFor()
    await quotas.getByText('2 of 10 refusals to a ban').waitFor()
    await page
      .getByRole('img', { name: '5 calls in this minute, 2 of them refused; 5 in 15 minutes' })
      .waitFor()
    const refusals = page.getByRole('region', { name: 'Last refusals' })
    await refusals.getByText('The key may make 60 calls a minute (plan free), and had made 60.').waitFor()
    await expect.poll(() => refusals.getByRole('listitem').count()).toBe(2)
    await page.getByRole('region', { name: 'Findings' }).getByText('unknown-parameter').waitFor()
    await press(fault(page, 'Lose the next response'), true)
    await page.getByRole('region', { name: 'Running rules' }).getByText('lose the next response').waitFor()
    await expectNothingSerious(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await refusals.getByRole('link', { name: 'GET /v1/pets' }).first().click()
    await page.getByRole('region', { name: 'Request 5' }).waitFor()
  },
)

test('a click fails the next call, and another one takes the rule back', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place })
  const rules = () => server.emulator.sandboxes.default.rules.list().length
  const button = fault(page, 'Fail the next call with 503')
  await press(button, true)
  await button.getByText('It waits for a call.').waitFor()
  await press(button, false)
  expect(rules()).toBe(0)
  expect(await callApi(server, '/v1/pets')).toBe(200)
  await press(button, true)
  expect(await callApi(server, '/v1/pets')).toBe(503)
  expect(await callApi(server, '/v1/pets')).toBe(200)
  await button.getByText('It acted once.').waitFor()
  await page.getByRole('region', { name: 'Running rules' }).getByText('No active rules.').waitFor()
  await press(button, false)
  expect(rules()).toBe(0)
})

test('a click loses the next reply, and the call is carried out', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place })
  const button = fault(page, 'Lose the next response')
  await press(button, true)
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  const create = () => callApi(server, '/v1/pets', { ...init, body: '{"name":"Rex","categoryId":1}' })
  const before = server.emulator.sandboxes.default.pets.size
  await expect(create()).rejects.toThrow()
  expect(server.emulator.sandboxes.default.pets.size).toBe(before + 1)
  expect(await create()).toBe(201)
  await press(button, false)
  expect(server.emulator.sandboxes.default.rules.list()).toEqual([])
})

test('a click uses up the minute; taken back, calls that were counted since stay counted', async ({
  open,
  skip,
  onTestFinished,
}) => {
  // Refused calls use quota, too.
  const scenario = scenarioOf({ clock: { frozen: true }, limits: { countRefused: true } })
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place, server: { scenario } },
  )
  const used = () => {
    const { minute, day } = server.emulator.sandboxes.default.keys.get('demo-free')?.windows ?? {}
    return [minute?.used, day?.used]
  }
  for (let made = 0; made < 7; made += 1) await callApi(server, '/v1/pets')
  const button = fault(page, 'Use up the minute')
  await button.getByText('53 of 60 are left.').waitFor()
  await press(button, true)
  expect(used()).toEqual([60, 60])
  for (let made = 0; made < 2; made += 1) expect(await callApi(server, '/v1/pets')).toBe(429)
  await button.getByText('The next call gets 429.').waitFor()
  await page.getByRole('link', { name: 'Docs' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await press(button, false)
  expect(used()).toEqual([9, 9])
  expect(await callApi(server, '/v1/pets')).toBe(200)

  // A new minute needs no undo.
  await press(button, true)
  await page.getByRole('button', { name: '+1 min' }).click()
  await expect.poll(() => isOn(button)).toBe('false')
})

test('a click bans the key, and another one lifts that ban', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place })
  const button = fault(page, 'Ban this key')
  await press(button, true)
  expect(await callApi(server, '/v1/pets')).toBe(429)
  await page
    .getByRole('region', { name: 'Quotas of demo-free' })
    .getByText(/^banned for/)
    .waitFor()
  await press(button, false)
  expect(await callApi(server, '/v1/pets')).toBe(200)
})

test('a key that was banned before is banned as before once its new ban is taken back', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const scenario = scenarioOf({ clock: { frozen: true }, keys: { 'demo-free': { banned: '90s' } } })
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place, server: { scenario } },
  )
  const end = () => server.emulator.sandboxes.default.keys.get('demo-free')?.strikes.bannedUntil
  const before = end()
  const button = fault(page, 'Ban this key')
  await button.getByText('It is banned for 1 min 30 s.').waitFor()
  await press(button, true)
  expect(end()).not.toBe(before)
  await press(button, false)
  expect(end()).toBe(before)
})

test('the menu has three groups, the number of findings and of requests', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished }, { place: '#/docs' })
  const menu = page.getByRole('navigation', { name: 'Parts' })
  expect(await menu.getByRole('list').evaluateAll(lists => lists.length)).toBe(3)
  for (const name of ['Watch', 'Change', 'Reference']) await menu.getByRole('list', { name }).waitFor()
  await callApi(server, '/v1/pets')
  await menu.getByRole('link', { name: 'Requests 1' }).waitFor()
  await menu.getByRole('link', { name: 'Findings', exact: true }).waitFor()
  await callApi(server, '/v1/pets?unknown=yes')
  await menu.getByRole('link', { name: 'Findings 1' }).waitFor()
  await menu.getByRole('link', { name: 'Requests 2' }).waitFor()
  await page.goto(urlOf('#/findings'))
  await page.getByRole('region', { name: 'unknown-parameter' }).waitFor()
  await expectNothingSerious(page)
})

test('at 360 px the menu is behind a button: it opens, leads on, and closes', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page } = await openDashboard({ open, skip, onTestFinished }, { place, width: 360 })
  const menu = page.getByRole('navigation', { name: 'Parts' })
  const button = page.getByRole('button', { name: /^Menu: / })
  await button.getByText('Overview').waitFor()
  expect(await menu.count()).toBe(0)
  await button.focus()
  await page.keyboard.press('Enter')
  await menu.waitFor()
  await expectNothingSerious(page)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(await button.evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)
  await button.click()
  await menu.getByRole('link', { name: 'Pets' }).click()
  await page.getByRole('heading', { name: 'Pets' }).waitFor()
  await menu.waitFor({ state: 'detached' })
  await button.getByText('Pets').waitFor()
})

test('a scenario has its name beside its title, and the flag that a test needs', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, urlOf } = await openDashboard({ open, skip, onTestFinished }, { place: '#/situation/ban' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const heading = page.getByRole('heading', { name: 'One strike from a ban ban' })
  await heading.waitFor()
  await page.getByRole('button', { name: 'Use this in a test --scenario ban' }).click()
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('--scenario ban')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByText('ban runs.').waitFor()
  await page.goto(urlOf(place))
  await page.getByRole('button', { name: 'Use this in a test --scenario ban' }).waitFor()
  await page.getByTitle('The situation that the server plays').getByText('ban', { exact: true }).waitFor()
})

test('calls that are not judged never look like passed', async ({ open, skip, onTestFinished }) => {
  const server = { scenario: scenarioOf({ clock: {} }), journal: { entries: 3, bytes: 1_048_576 } }
  const { page, server: started } = await openDashboard({ open, skip, onTestFinished }, { place, server })
  const findings = page.getByRole('region', { name: 'Findings' })
  await callApi(started, '/v1/pets?limit=1')
  await findings.getByText('The client does nothing wrong.').waitFor()
  for (const limit of [2, 3, 4, 5, 6]) await callApi(started, `/v1/pets?limit=${limit}`)
  await findings.getByText('not judged').first().waitFor()
  expect(await findings.getByText('The client does nothing wrong.').count()).toBe(0)
  await findings.getByRole('link', { name: 'Findings' }).click()
  await page.getByText('not judged').first().waitFor()
  expect(await page.getByText('It waits, backs off').count()).toBe(0)
})
