import type { Frame, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serveHtml } from '../../support/foreign-page.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const openDashboard = describeDashboard()

/** A page of `name` with the script of the panel. */
async function goToShop(
  page: Page,
  context: Pick<TestContext, 'onTestFinished'>,
  name: string,
  host: string,
) {
  const body = `<h1>A shop</h1><script type="module" src="http://${host}/__admin/panel.js"></script>`
  await page.goto(`http://${name}:${await serveHtml(context, body)}/`)
  return page.getByRole('button', { name: 'pet-mock' })
}

async function frameOf(page: Page): Promise<Frame> {
  const frame = await page.locator('pet-mock-panel iframe').elementHandle()
  const content = await frame?.contentFrame()
  if (!content) throw new Error('There is no frame')
  return content
}

test('a page of this machine shows the panel, and moves time with it', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: 'panel' })
  for (let calls = 0; calls < 3; calls += 1) await callApi(server, '/v1/pets?limit=1')
  await callApi(server, '/v1/pets/9999')
  page.setDefaultTimeout(5_000)
  const button = await goToShop(page, { onTestFinished }, 'localhost', server.host)
  expect(await page.locator('iframe').count()).toBe(0)
  await button.click()
  const panel = await frameOf(page)
  await panel.getByText('56 of 60 left this minute').waitFor()
  await panel.getByText('/v1/pets/9999').first().click()
  await panel.locator('details[open] p').getByText('9999').first().waitFor()
  await panel.getByRole('button', { name: '+1 min' }).click()
  await panel.getByText('60 of 60 left this minute').waitFor()
  await panel.getByLabel('Scenario').selectOption('ban')
  await expect.poll(() => server.emulator.sandboxes.default.scenario.name).toBe('ban')
  await panel.getByText('9 of 10 strikes').waitFor()
  await callApi(server, '/v1/pets')
  await panel
    .getByText(/banned for/)
    .first()
    .waitFor()
  await panel.getByRole('button', { name: 'Lift' }).first().click()
  await expect.poll(() => panel.getByText(/banned for/).count()).toBe(0)
  await panel.getByRole('button', { name: '+1 s' }).press('Escape')
  await expect.poll(() => page.locator('pet-mock-panel iframe').count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.frameLocator('pet-mock-panel iframe').getByRole('button', { name: '+1 s' }).waitFor()
})

test('the panel is readable in both themes, and narrow', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: 'panel', width: 360 })
  for (let calls = 0; calls < 72; calls += 1) await callApi(server, '/v1/pets?limit=1')
  await page.getByText(/banned for/).waitFor()
  await expectNothingSerious(page)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
})

test('a page of a foreign origin gets the button, and an empty frame', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, complaints } = await openDashboard({ open, skip, onTestFinished }, { place: 'panel' })
  await page.getByText('No calls yet').waitFor()
  const before = server.emulator.revision()
  const asked: string[] = []
  server.emulator.observe(({ call }) => asked.push(call.target))
  const opened: string[] = []
  page.on('request', request => {
    const { host, pathname } = new URL(request.url())
    if (host === server.host) opened.push(`${request.method()} ${pathname}`)
  })
  const button = await goToShop(page, { onTestFinished }, 'shop.example', server.host)
  await button.click()
  await expect.poll(() => complaints.join()).toContain('frame-ancestors')
  expect(await (await frameOf(page)).locator('.panel').count()).toBe(0)
  expect([server.emulator.revision(), asked]).toEqual([before, []])
  expect(opened).toEqual(['GET /__admin/panel.js', 'HEAD /__admin/panel.js', 'GET /__admin/panel'])
  complaints.length = 0
})

test('a name and a path full of markup are text', async ({ open, skip, onTestFinished }) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: 'panel' })
  const markup = '<img src=x onerror=alert(1)>'
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await callApi(server, `/v1/pets/${encodeURIComponent(markup)}?x=<b>y</b>`, {
    headers: { 'X-Name': markup },
  })
  await page.locator('summary').first().click()
  expect(await page.locator('.panel img, .panel b').count()).toBe(0)
  expect(dialogs).toEqual([])
})

test('with --admin-token, the panel asks for it and keeps it in its tab', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { place: 'panel', server: { token: 'hush-hush' } },
  )
  await page.getByLabel('Admin token').fill('hush-hush')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('No calls yet').waitFor()
  await page.reload()
  await page.getByText('No calls yet').waitFor()
  expect(complaints.splice(0).filter(text => !text.includes('401'))).toEqual([])
})

test('the panel says that its server is gone', async ({ open, skip, onTestFinished }) => {
  const { page, server, complaints } = await openDashboard({ open, skip, onTestFinished }, { place: 'panel' })
  await page.getByText('No calls yet').waitFor()
  await server.door.close(0)
  await page.getByText('The server does not answer.').first().waitFor()
  // The browser reports each call that fails.
  expect(complaints.splice(0).filter(text => !text.includes('ERR_'))).toEqual([])
})

test('a page whose panel is closed, or hidden, asks the server nothing', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server } = await openDashboard({ open, skip, onTestFinished }, { place: 'panel' })
  await page.getByText('No calls yet').waitFor()
  const button = await goToShop(page, { onTestFinished }, 'localhost', server.host)
  await button.click()
  await page.frameLocator('pet-mock-panel iframe').getByText('No calls yet').waitFor()
  await button.click()
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  for (let calls = 0; calls < 5; calls += 1) await callApi(server, '/v1/pets')
  await page.waitForTimeout(600)
  expect(asked).toEqual([])
})
