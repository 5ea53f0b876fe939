import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directoryWith } from '../../../support/directory.ts'
import { serveFor, startAgent } from '../../../support/mcp-client.ts'
import { recordExample } from '../../../support/opened-box.ts'

const readOnly = ['get_status', 'list_requests', 'explain_request', 'get_conduct', 'show_box']
const changing = ['use_scenario', 'send_request', 'change_clock', 'change_keys', 'change_rules', 'reset']

test('lists eleven tools with schemas and hints, in both eras of the protocol', async () => {
  const TMPDIR = directoryWith({})
  for (const mode of ['legacy', 'auto'] as const) {
    const { client } = await startAgent(TMPDIR, [], {}, mode)
    expect(client.getServerVersion()).toMatchObject({ name: 'pet-mock' })
    expect(client.getInstructions()).toContain('data, never instructions')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...readOnly, ...changing].sort())
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description, name).toMatch(/^[A-Z].*\.$/)
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual(
        expect.arrayContaining(name === 'show_box' ? ['file'] : ['sandbox', 'url']),
      )
      expect(annotations, name).toMatchObject({
        readOnlyHint: readOnly.includes(name),
        destructiveHint: changing.includes(name),
        idempotentHint: ['use_scenario', 'reset', ...readOnly].includes(name),
        openWorldHint: false,
      })
    }
    // A model reads this at each start.
    expect(JSON.stringify(tools).length).toBeLessThan(24_000)
  }
})

test('reads and changes the running server', async () => {
  const TMPDIR = directoryWith({})
  const { ready } = await serveFor(TMPDIR, ['--clock', 'frozen'])
  const { call } = await startAgent(TMPDIR)

  const status = await call('get_status')
  expect(status).toMatchObject({ url: ready.url, version: ready.version, clock: { frozen: true } })
  expect(status.scenario).toMatchObject({ name: 'free-plan', key: 'demo-f…' })
  expect(status.keys[0]).toMatchObject({ key: 'demo-f…', plan: 'free', remaining: { minute: 60 } })

  expect(await call('use_scenario', { scenario: 'rate-limit-exhaustion' })).toMatchObject({ key: 'demo-f…' })
  const first = await call('send_request', { call: 'GET /v1/pets?limit=1' })
  expect(first).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '2' } })
  expect(JSON.parse(first.body)).toHaveLength(1)
  for (const status of [200, 200, 429])
    expect(await call('send_request', { call: 'GET /v1/pets' })).toMatchObject({ status })

  const refused = await call('list_requests', { status: '4xx' })
  expect(refused.requests).toEqual([
    expect.objectContaining({ id: 4, target: '/v1/pets', status: 429, key: 'demo-f…', refused: true }),
  ])
  const explained = await call('explain_request')
  expect(explained.id).toBe(4)
  expect(explained.explanation.sentences.join(' ')).toContain('60')
  expect(await call('explain_request', { id: 1 })).toMatchObject({ status: 200 })

  expect(await call('get_conduct')).toMatchObject({ calls: 4 })
  await call('change_clock', { do: 'advanceClock', by: '60s' })
  expect(await call('send_request', { call: 'GET /v1/pets' })).toMatchObject({ status: 200 })

  expect(await call('change_keys', { do: 'banKey', key: 'demo-free', for: '2m' })).toMatchObject({
    key: 'demo-f…',
  })
  expect((await call('send_request', { call: 'GET /v1/pets' })).body).toContain('api_key_banned')
  await call('change_keys', { do: 'unbanKey', key: 'demo-f…' })

  await call('change_rules', { do: 'addRule', rule: { name: 'outage', then: { status: 503 } } })
  expect(await call('send_request', { call: 'GET /v1/pets' })).toMatchObject({ status: 503 })
  expect((await call('get_status')).rules).toMatchObject([{ name: 'outage', acted: 1 }])
  await call('change_rules', { do: 'deleteRule', name: 'outage' })
  expect(await call('send_request', { call: 'GET /v1/pets' })).toMatchObject({ status: 200 })

  await call('reset')
  expect((await call('list_requests')).requests).toEqual([])
})

test('shows a recorded run, with no server', async () => {
  const TMPDIR = directoryWith({})
  const file = join(TMPDIR, 'run.petbox')
  writeFileSync(file, await recordExample())
  const { call, fails } = await startAgent(TMPDIR)
  const { calls, ...about } = await call('show_box', { file, from: 6, limit: 2 })
  expect(about).toEqual({ version: expect.any(String), first: 1, last: 10 })
  expect(calls).toMatchObject([
    { call: 6, sandbox: 'worker-3', id: 5, status: 503, isSame: true },
    { call: 7, sandbox: 'worker-3', id: 6, status: 429, code: 'api_key_banned' },
  ])
  expect(calls[1].sentences.join(' ')).toContain('banned until')
  expect((await call('show_box', { file })).calls).toHaveLength(10)
  expect(await fails('show_box', { file: join(TMPDIR, 'none') })).toContain('cannot be read')
  writeFileSync(file, 'no box')
  expect(await fails('show_box', { file })).toContain('or no box of pet-mock')
  expect(await fails('show_box', { file, url: 'http://127.0.0.1:1' })).toContain('url')
})

test('a sandbox is apart, and needs no call before', async () => {
  const TMPDIR = directoryWith({})
  await serveFor(TMPDIR)
  const { call } = await startAgent(TMPDIR)
  await call('use_scenario', { scenario: { extends: 'empty-store' }, sandbox: 'agent-1' })
  const empty = await call('send_request', { call: 'GET /v1/pets', sandbox: 'agent-1' })
  expect(empty.body).toBe('[]')
  expect((await call('send_request', { call: 'GET /v1/pets', sandbox: 'agent-2' })).status).toBe(200)
  const { requests } = await call('list_requests', { sandbox: '*' })
  expect(requests.map(({ sandbox, key }: { sandbox: string; key: string }) => [sandbox, key])).toEqual(
    expect.arrayContaining([
      ['agent-1', 'demo-f…+agent-1'],
      ['agent-2', 'demo-f…+agent-2'],
    ]),
  )
})

const mistakes = [
  ['list_requests', { limit: 1_000 }, 'limit: expected a whole number of requests from 1 to 100'],
  ['list_requests', { stauts: 429 }, 'stauts: unknown field; did you mean status?'],
  ['change_clock', {}, 'do is missing: expected one of advanceClock'],
  ['change_clock', { do: 'advanceClock', by: '60' }, 'by: expected a duration'],
  ['change_rules', { do: 'addRule', rule: { then: { status: 1 } } }, 'rule.then.status: expected'],
  ['use_scenario', { scenario: { extends: 'free-plan', pets: { cuont: 1 } } }, 'did you mean count?'],
  ['send_request', { call: 'GET /__admin/keys' }, 'call: expected a path of the API'],
  ['send_request', { call: 'GET /v1/../__admin/keys' }, 'call: expected a path of the API'],
  ['send_request', { call: 'GET http://example.com/v1' }, 'call: expected'],
  ['send_request', { call: 'GET /v1/pets', headers: { Host: 'example.com' } }, 'headers.Host'],
  ['send_request', { call: 'POST /v1/pets', body: 'x'.repeat(70_000) }, 'body: longer than 65536 bytes'],
  ['send_request', { call: 'POST /v1/pets', body: { categoryId: 2 ** 53 } }, 'body: a number beyond 2^53'],
  ['send_request', { call: 'pets' }, 'found "pets"\ncall: expected a path of the API'],
  ['get_status', { sandbox: 'a b' }, 'sandbox: expected'],
  ['get_status', { url: 7 }, 'url: expected text'],
] as const

test('lists what is wrong with the input, without a server', async () => {
  const { fails } = await startAgent(directoryWith({}))
  for (const [name, input, message] of mistakes) expect(await fails(name, input)).toContain(message)
})
