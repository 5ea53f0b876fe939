import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { callApi, describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'

const openDashboard = describeDashboard()
const run = promisify(execFile)

const markup = '<img src=x onerror=alert(1)>'
const json = { 'Content-Type': 'application/json' }

const shown = (page: Page, id: number) => page.getByRole('region', { name: `Request ${id}` })

async function copied(page: Page, button: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: button }).click()
  await page.getByText('Copied.').first().waitFor()
  return await page.evaluate<string>('navigator.clipboard.readText()')
}

test('a refused call shows why: sentences, gates and quotas', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  for (let count = 0; count < 62; count += 1) await callApi(server, '/v1/pets?limit=1')
  await page.goto(urlOf('#/requests/62'))
  const request = shown(page, 62)
  await request.getByText('The key may make 60 calls a minute').waitFor()
  const gates = await request.getByRole('list', { name: 'Gates' }).getByRole('listitem').allInnerTexts()
  expect(gates.map(text => text.replaceAll(/\s+/g, ''))).toEqual([
    'Host:passed',
    'Preflight:passed',
    'Basepath:passed',
    'Key:passed',
    'Ban:passed',
    'Limit:decided',
    'Prefer:didnotdecide',
    'Rules:didnotdecide',
    'Route:didnotdecide',
    'Operation:didnotdecide',
  ])
  await request.getByText('0 of 60 left this minute on free').waitFor()
  await request.getByText('retry-after', { exact: true }).waitFor()
  await expectNothingSerious(page)
})

test('a call leads to the finding that it is evidence of', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets?limt=2')
  await page.goto(urlOf('#/requests/1'))
  await shown(page, 1).getByRole('heading', { name: 'Evidence of' }).waitFor()
  await shown(page, 1).getByText('1 unknown query parameter was sent.').waitFor()
})

test('so does a call that comes after the first ones of its finding', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  for (let id = 1; id <= 40; id += 1) await callApi(server, `/v1/pets?limt${id}=2`)
  await page.goto(urlOf('#/requests/33'))
  await shown(page, 33).getByText('40 unknown query parameters were sent.').waitFor()
  await shown(page, 33).getByText('limt33').first().waitFor()
})

test.for(['abc', '0', '99999999999999999999'])(
  'there is no request %s',
  async (name, { open, skip, onTestFinished }) => {
    const { page } = await openDashboard({ open, skip, onTestFinished }, { place: `#/requests/${name}` })
    await page.getByRole('heading', { name: `There is no request ${name}` }).waitFor()
    await page.getByRole('link', { name: 'Close' }).click()
    await page.getByText('No calls yet').waitFor()
  },
)

test('markup in a name, a path and a header is text', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const pet = JSON.stringify({ name: markup, categoryId: 9_007_199_254_740_991 })
  await callApi(server, '/v1/pets', { method: 'POST', headers: json, body: pet })
  await callApi(server, `/v1/pets/${encodeURI(markup)}"><script>alert(2)</script>`, {
    headers: { 'X-Note': `${markup}<script>alert(3)</script>` },
  })
  await page.goto(urlOf('#/requests/2'))
  await shown(page, 2).getByText('<script>alert(3)</script>').waitFor()
  await page.goto(urlOf('#/requests/1'))
  await shown(page, 1).getByText(`"${markup}"`).first().waitFor()
  expect(await page.locator('img, #app script').count()).toBe(0)
  expect(dialogs).toEqual([])
})

test('a copied curl line sends the same call, with the key of the server', async ({
  open,
  skip,
  onTestFinished,
}) => {
  requireOrSkip({ skip }, 'curl', findProgram('curl'))
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  const path = "/v1/pets/';rm$IFS-rf$IFS~;$(id)"
  await callApi(server, '/v1/pets', {
    method: 'POST',
    headers: json,
    body: `{"name":"O'Neill $(id)","categoryId":1}`,
  })
  await callApi(server, path)
  for (const id of [1, 2]) {
    await page.goto(urlOf(`#/requests/${id}`))
    await shown(page, id).waitFor()
    const line = await copied(page, 'Copy as curl')
    expect(line).toContain('Bearer demo-free')
    await run('sh', ['-c', `${line} --silent`])
  }
  const calls = [...server.emulator.sandboxes.default.journal]
  expect(calls.map(({ call, reply }) => [call.method, call.target, reply.status])).toEqual([
    ['POST', '/v1/pets', 201],
    ['GET', path, 404],
    ['POST', '/v1/pets', 201],
    ['GET', path, 404],
  ])
  expect(`${calls[2]?.reply.body}`).toContain("O'Neill $(id)")
  expect(await copied(page, 'Copy as fetch')).toContain('"Bearer demo-free"')
})

test('a key that the server does not know becomes $API_KEY', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets', { key: 'somebodys-secret-key' })
  await page.goto(urlOf('#/requests/1'))
  expect(await copied(page, 'Copy as curl')).toContain('"Authorization: Bearer $API_KEY"')
  const code = await copied(page, 'Copy as fetch')
  expect(code).toContain('`Bearer ${process.env.API_KEY}`')
  expect(code).not.toContain('somebody')
})

test('a call is sent again, and its neighbours of the same key are a click away', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  const body = '{"name":"Rex","categoryId":1}'
  await callApi(server, '/v1/pets', { method: 'POST', headers: json, body })
  await callApi(server, '/v1/pets', { key: 'demo-pro' })
  await page.goto(urlOf('#/requests/1'))
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Sent again: 201.').waitFor()
  await shown(page, 3).getByText('"Rex"').first().waitFor()
  const [, , again] = [...server.emulator.sandboxes.default.journal]
  expect([again?.call.method, again?.trace.key, again?.reply.status]).toEqual(['POST', 'demo-free', 201])
  await page.getByRole('button', { name: 'Earlier call of this key' }).click()
  await shown(page, 1).waitFor()
  await page.getByRole('button', { name: 'Later call of this key' }).click()
  await shown(page, 3).waitFor()
})

test('a call is saved as HAR, without the others and without the key', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  for (const limit of [1, 2, 3]) await callApi(server, `/v1/pets?limit=${limit}`)
  await page.goto(urlOf('#/requests/2'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'HAR' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  const { log } = JSON.parse(text)
  expect(log.entries.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
    `http://${server.host}/v1/pets?limit=2`,
  ])
  expect(text).not.toContain('demo-free')
})

test('a call that the journal dropped says so', async ({ open, skip, onTestFinished }) => {
  const { page, server, urlOf, complaints } = await openDashboard({ open, skip, onTestFinished })
  await callApi(server, '/v1/pets')
  await page.goto(urlOf('#/requests/99'))
  await page.getByText('There is no request 99 in the sandbox default').waitFor()
  complaints.splice(0, complaints.length, ...complaints.filter(text => !text.includes('404')))
})

test.for([1280, 360])(
  'a request at %i px is no wider than the page',
  async (width, { open, skip, onTestFinished }) => {
    const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished }, { width })
    await callApi(server, `/v1/pets?long=${'x'.repeat(2_000)}`, { headers: { 'X-Long': 'y'.repeat(2_000) } })
    await page.goto(urlOf('#/requests/1'))
    await shown(page, 1).getByRole('heading', { name: 'Response' }).waitFor()
    await expectNothingSerious(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  },
)
