import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { type AdminServer, openAdminServer } from '../../support/admin-server.ts'
import { openPage } from '../../support/browser.ts'

const load = createRequire(import.meta.url)

/** The published JSON Schema of HAR 1.2. */
function harValidator() {
  const ajv = new Ajv({ strict: false, allErrors: true })
  ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
  addFormats.default(ajv)
  const { har, ...parts } = load('har-schema')
  for (const part of Object.values<object>(parts)) ajv.addSchema(part)
  return ajv.compile(har)
}

async function openWithCalls(): Promise<AdminServer> {
  const server = await openAdminServer({
    rules: [
      { name: 'late', match: { path: '/v1/store/orders' }, then: { delay: '3ms' } },
      { name: 'lost', match: { key: 'demo-business' }, then: { fault: 'reset' } },
    ],
  })
  const { call } = server
  await call('/v1/pets?limit=2&status=sold')
  const headers = { 'Content-Type': 'application/json' }
  await call('/v1/pets', 'demo-free', { method: 'POST', headers, body: '{"name":"Ré","categoryId":1}' })
  await call('/v1/pets', 'demo-free', {
    method: 'POST',
    headers,
    body: `{"name":"${'x'.repeat(20_000)}","categoryId":1}`,
  })
  // Calls of two sandboxes in one millisecond have no order.
  await setTimeout(5)
  await call('/v1/nothing?api_key=demo-pro', 'demo-free+w1')
  await setTimeout(5)
  await call('/v1/store/orders')
  await call('/v1/pets', 'demo-free', { method: 'HEAD' })
  await call('/v1/pets', 'demo-free', { method: 'OPTIONS' })
  await call('/v1/pets', 'demo-business').catch(() => {})
  return server
}

test('the archive is valid HAR 1.2 with everything on the wire, the oldest first', async () => {
  const { ask, origin } = await openWithCalls()
  const { json, headers } = await ask('/requests.har?sandbox=*')
  expect(headers['content-disposition']).toContain('.har')
  const validate = harValidator()
  expect({ valid: validate(json), errors: validate.errors }).toEqual({ valid: true, errors: null })
  // The schema can say no.
  expect(
    validate({ log: { ...json.log, entries: [{ ...json.log.entries[0], startedDateTime: 'now' }] } }),
  ).toBe(false)

  const { entries, creator } = json.log
  expect(creator).toEqual({ name: 'pet-mock', version: '1.2.3' })
  expect(entries).toHaveLength(8)
  const [listed, created, long, lost, late, head, , reset] = entries
  expect(listed).toMatchObject({
    request: {
      method: 'GET',
      url: `${origin}/v1/pets?limit=2&status=sold`,
      queryString: [
        { name: 'limit', value: '2' },
        { name: 'status', value: 'sold' },
      ],
    },
    response: { status: 200, content: { mimeType: 'application/json', text: expect.stringMatching(/^\[/) } },
    _petMock: { id: 1, sandbox: 'default', key: 'demo-f…' },
  })
  expect(created.request).toMatchObject({
    bodySize: new TextEncoder().encode('{"name":"Ré","categoryId":1}').length,
    postData: { mimeType: 'application/json', text: '{"name":"Ré","categoryId":1}' },
  })
  expect(long).toMatchObject({
    request: { bodySize: 20_026, postData: { comment: expect.stringContaining('16 KiB') } },
    response: { bodySize: 20_035, content: { size: 20_035, comment: expect.stringContaining('16 KiB') } },
  })
  expect(lost).toMatchObject({
    request: { url: `${origin}/v1/nothing?api_key=demo-p%E2%80%A6`, queryString: [{ value: 'demo-p…' }] },
    _petMock: { sandbox: 'w1' },
  })
  expect(late).toMatchObject({ time: 3, timings: { wait: 3 } })
  expect(head.response).toMatchObject({ status: 200, bodySize: 0, content: { size: 0 } })
  expect(reset.response).toMatchObject({ status: 0, _error: 'net::ERR_CONNECTION_RESET' })
})

test('filters and limits work like those of the list', async () => {
  const { ask } = await openWithCalls()
  const { entries } = (await ask('/requests.har?method=POST&limit=1')).json.log
  expect(entries.map(({ _petMock }: { _petMock: { id: number } }) => _petMock.id)).toEqual([3])
})

test('Chromium answers a page from the archive, with the server gone', async context => {
  const page = await openPage(context)
  const { call, ask, door, origin } = await openAdminServer()
  const answered = await (await call('/v1/pets?limit=3')).text()
  const directory = mkdtempSync(join(tmpdir(), 'pet-mock-har-'))
  context.onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'pets.har')
  writeFileSync(file, (await ask('/requests.har')).text)
  await door.close(0)
  await page.routeFromHAR(file, { url: '**/v1/**', notFound: 'abort' })
  const seen = await page.goto(`${origin}/v1/pets?limit=3`)
  expect(seen?.status()).toBe(200)
  expect(await seen?.text()).toBe(answered)
  expect(seen?.headers()['x-ratelimit-remaining']).toBe('59')
})
