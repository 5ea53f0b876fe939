import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { describeDashboard, expectNothingSerious } from '../../support/dashboard.ts'
import { type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { findProgram, requireOrSkip } from '../../support/requirements.ts'
import { areasOf, toys } from '../../support/toys.ts'

const openDashboard = describeDashboard()
const run = promisify(execFile)

const hostileName = `O'Neill "Rex"; '; rm -rf ~ $(x) \`id\` <img src=x onerror=alert(1)>`

/** The page itself calls the plane only. */
function callsOf({ emulator }: TestServer) {
  return [...emulator.sandboxes.default.journal]
}

/** The browser itself notes refused calls in the console. */
function dropRefusals(complaints: string[]): void {
  const others = complaints.filter(text => !/Failed to load resource: .* 40[01] /.test(text))
  complaints.splice(0, complaints.length, ...others)
}

async function copied(page: Page, form: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const code = page.getByRole('region', { name: 'As code' })
  await code.getByRole('button', { name: form }).click()
  await code.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').last().waitFor()
  return await page.evaluate<string>('navigator.clipboard.readText()')
}

test('an operation is filled in, sent, and leads to its request', async ({ open, skip, onTestFinished }) => {
  const { page, server, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/docs' },
  )
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /GET \/v1\/pets\b.*List animals/ })
    .click()
  const form = page.getByRole('form', { name: 'listPets' })
  expect(await form.getByLabel('API key').inputValue()).toBe('demo-free')
  await form.getByLabel(/^limit/).fill('2')
  await form.getByLabel(/^status/).selectOption('available')
  await form.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: 'Response' })
  await answer.getByText('200', { exact: true }).first().waitFor()
  await answer.getByText('x-ratelimit-remaining').waitFor()
  await answer.getByText('"available"').first().waitFor()
  await expectNothingSerious(page)
  await form.getByLabel(/^limit/).fill('many')
  await form.getByLabel(/^status/).selectOption('not sent')
  await form.getByLabel('API key').selectOption('demo-pro')
  await form.getByRole('button', { name: 'Send' }).click()
  await answer.getByText('400', { exact: true }).first().waitFor()
  await form.getByLabel('API key').selectOption('none')
  await form.getByRole('button', { name: 'Send' }).click()
  await answer.getByText('401', { exact: true }).first().waitFor()
  const calls = callsOf(server)
  expect(calls.map(({ call, trace, reply }) => [call.target, trace.key, reply.status])).toEqual([
    ['/v1/pets?limit=2&status=available', 'demo-free', 200],
    ['/v1/pets?limit=many', 'demo-pro', 400],
    ['/v1/pets?limit=many', undefined, 401],
  ])
  await answer.getByRole('link', { name: 'See it in Requests' }).click()
  await page.getByRole('region', { name: /^Request \d/ }).waitFor()
  dropRefusals(complaints)
})

test('a body starts with an example, and goes out as it was typed', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, complaints } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/docs/api/createPet' },
  )
  const form = page.getByRole('form', { name: 'createPet' })
  const body = form.getByLabel(/^Body/)
  expect(JSON.parse(await body.inputValue())).toMatchObject({ name: 'Rex', categoryId: 1 })
  await form.getByRole('button', { name: 'The required fields' }).click()
  expect(JSON.parse(await body.inputValue())).toEqual({ name: 'Luna', categoryId: 2 })
  const exact = `{"name":${JSON.stringify(hostileName)},"categoryId":9007199254740993}`
  await body.fill(exact)
  await form.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: 'Response' })
  await answer.getByText('201', { exact: true }).first().waitFor()
  await answer.getByText('9007199254740993').waitFor()
  expect(await page.locator('img').count()).toBe(0)
  await body.fill('{"name":')
  await form.getByText('This is not JSON.').waitFor()
  await form.getByRole('button', { name: 'Send' }).click()
  await answer.getByText('400', { exact: true }).first().waitFor()
  expect(callsOf(server).map(({ call }) => `${call.body}`)).toEqual([exact, '{"name":'])
  dropRefusals(complaints)
})

test.for([
  ['curl', 'sh', '-c'],
  ['Python', 'python3', '-c'],
] as const)(
  'the call as %s, run by %s, does the same',
  async ([form, program, flag], { open, skip, onTestFinished }) => {
    requireOrSkip({ skip }, program, findProgram(program))
    const { page, server } = await openDashboard(
      { open, skip, onTestFinished },
      { place: '#/docs/api/createPet' },
    )
    await page
      .getByLabel(/^Body/)
      .fill(JSON.stringify({ name: `${hostileName}\nsecond line`, categoryId: 1 }))
    await run(program, [flag, await copied(page, form)])
    const [call] = callsOf(server)
    expect([call?.call.method, call?.call.target, call?.trace.key, call?.reply.status]).toEqual([
      'POST',
      '/v1/pets',
      'demo-free',
      201,
    ])
    expect(JSON.parse(`${call?.reply.body}`).name).toBe(`${hostileName}\nsecond line`)
  },
)

test('the call as fetch has the path with its value encoded', async ({ open, skip, onTestFinished }) => {
  const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/docs/api/getPet' })
  await page.getByLabel(/^petId/).fill('../$(id)?#')
  const code = await copied(page, 'fetch')
  expect(code).toContain('/v1/pets/..%2F%24(id)%3F%23"')
  expect(code).toContain('"Bearer demo-free"')
  await page.getByLabel(/^petId/).fill('..')
  await page.getByText('A browser sends /v1/ instead.').waitFor()
})

test('the operations of --openapi are forms and pages of the docs, too', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const loading = await areasOf({ 'toys.yaml': toys })
  if (!loading.ok) throw new Error(loading.complaints.join('\n'))
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished })
  server.emulator.openAreas(loading.value.areas)
  await page.goto(urlOf('#/docs/api/createToy'))
  const form = page.getByRole('form', { name: 'createToy' })
  expect(JSON.parse(await form.getByLabel(/^Body/).inputValue())).toHaveProperty('name')
  await form.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: 'Response' })
  await answer.getByText('201', { exact: true }).first().waitFor()
  expect(callsOf(server).map(({ call }) => `${call.method} ${call.target}`)).toEqual(['POST /v1/toys'])
  await page.goto(urlOf('#/docs/api/listToys'))
  await page.getByText('Example', { exact: true }).click()
  await page.getByText('9223372036854775807').first().waitFor()
})

test('operations that --watch reloads are on an open page, and what somebody typed stays', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const loading = await areasOf({ 'toys.yaml': toys })
  if (!loading.ok) throw new Error(loading.complaints.join('\n'))
  const { page, server } = await openDashboard(
    { open, skip, onTestFinished },
    { place: '#/docs/api/listPets' },
  )
  const { sandboxes, openAreas } = server.emulator
  const limit = page.getByRole('form', { name: 'listPets' }).getByLabel(/^limit/)
  await limit.fill('7')
  sandboxes.adopt(sandboxes.scenario, Date.now())
  openAreas(loading.value.areas)
  await page.getByRole('link', { name: '/v1/toys' }).first().waitFor()
  expect(await limit.inputValue()).toBe('7')
})

test('no place in the URL sends anything', async ({ open, skip, onTestFinished }) => {
  const place = '#/docs/api/createPet?send=true&body=%7B%7D&key=demo-free&name=Rex&method=POST'
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished }, { place })
  await page.getByRole('form', { name: 'createPet' }).waitFor()
  await page.goto(urlOf('?send=true#/docs/api/listPets?limit=2'))
  const form = page.getByRole('form', { name: 'listPets' })
  await form.waitFor()
  expect(await form.getByLabel(/^limit/).inputValue()).toBe('')
  expect(callsOf(server)).toEqual([])
})

test('another sandbox gets its own calls, and a name that no operation has says so', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page, server, urlOf } = await openDashboard({ open, skip, onTestFinished }, { place: '#/docs' })
  await fetch(`http://${server.host}/v1/pets`, { headers: { Authorization: 'Bearer demo-free+blue' } })
  await page.goto(urlOf('#/docs/api/listPets?sandbox=blue'))
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('link', { name: 'See it in Requests' }).click()
  await page.getByRole('region', { name: 'Request 2' }).waitFor()
  expect(callsOf(server)).toEqual([])
  await page.goto(urlOf('#/docs/api/nothing'))
  await page.getByText('There is no such operation').waitFor()
})

test('a form at 360 px shows the list or one operation, no wider than the page', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { page } = await openDashboard({ open, skip, onTestFinished }, { place: '#/docs', width: 360 })
  await page.getByRole('link', { name: /POST \/v1\/pets/ }).click()
  await page.getByLabel(/^Body/).fill(`{"name":"${'x'.repeat(300)}","categoryId":1}`)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Response' }).getByText('201', { exact: true }).waitFor()
  await expectNothingSerious(page)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await page.getByRole('link', { name: 'All operations' }).click()
  await page.getByRole('link', { name: /POST \/v1\/pets/ }).waitFor()
})
