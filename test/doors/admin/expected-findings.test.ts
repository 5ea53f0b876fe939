import { expect, test } from 'vitest'
import { openAdminServer } from '../../support/admin-server.ts'

/** The third call of a key is banned. */
const strict = {
  clock: { scale: 1 },
  keys: { 'demo-free': { plan: 'free', used: { minute: 60 } } },
  bans: { after: 2 },
} as const

async function open() {
  const { origin, ask } = await openAdminServer(strict)
  const list = async (key: string) =>
    (await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } })).status
  const ban = async (key: string) => {
    for (const _ of [1, 2]) await list(key)
  }
  const idsOf = async (sandbox: string) => {
    const { findings } = (await ask(`/conduct?sandbox=${sandbox}`)).json
    return findings.map(({ id, expected }: { id: string; expected?: true }) =>
      expected ? `${id} (expected)` : id,
    )
  }
  const expectBan = (sandbox: string) => ask(`/conduct/expected?sandbox=${sandbox}`, { id: 'banned' })
  return { ask, list, ban, idsOf, expectBan }
}

test('an expected finding of a sandbox is apart, and the same of another sandbox is not', async () => {
  const { ban, idsOf, expectBan, ask } = await open()
  expect(await expectBan('one')).toMatchObject({
    status: 201,
    json: { id: 'banned', sandbox: 'one', from: 1 },
  })
  await ban('demo-free+one')
  await ban('demo-free+other')
  expect(await idsOf('one')).toContain('banned (expected)')
  expect(await idsOf('one')).not.toContain('banned')
  expect(await idsOf('other')).toContain('banned')
  const all = await idsOf('*')
  expect(all.filter((id: string) => id.startsWith('banned'))).toEqual(['banned', 'banned (expected)'])
  const { json } = await ask('/conduct?sandbox=*')
  expect(json.expected).toEqual([{ id: 'banned', sandbox: 'one', from: 1, count: 1 }])
})

test('it covers calls from now on only', async () => {
  const { ban, idsOf, expectBan } = await open()
  await ban('demo-free+one')
  await expectBan('one')
  expect(await idsOf('one')).toEqual(expect.arrayContaining(['banned', 'expected-finding']))
})

test.each([
  ['a reset', '/reset?sandbox=one', 'POST', {}],
  ['another scenario', '/scenario?sandbox=one', 'PUT', { scenario: 'ban' }],
  ['a drop', '/sandboxes?sandbox=one', 'DELETE', undefined],
] as const)('%s ends it', async (_what, path, method, json) => {
  const { ban, idsOf, expectBan, ask, list } = await open()
  await expectBan('one')
  await ask(path, json, method)
  await list('demo-free+one')
  await ban('demo-free+one')
  expect(await idsOf('one')).not.toContain('banned (expected)')
  expect((await ask('/conduct?sandbox=one')).json.expected).toEqual([])
})

test('one that has not come is an error', async () => {
  const { idsOf, expectBan, list, ask } = await open()
  await expectBan('one')
  await list('demo-free+one')
  expect(await idsOf('one')).toContain('expected-finding')
  const { findings, checks } = (await ask('/conduct?sandbox=one')).json
  expect(findings[0]).toMatchObject({
    severity: 'error',
    title: '1 expected finding did not come.',
    evidence: [{ what: 'banned', detail: 'expected from request #1 on', sandbox: 'one' }],
  })
  expect(checks.at(-1).id).toBe('expected-finding')
})

test('one whose check could not judge all calls may have come', async () => {
  const { ask, origin } = await openAdminServer({
    clock: { at: '2026-03-02T09:00:00Z', frozen: true },
    keys: { small: { plan: 'free', limits: { minute: 3, day: 1_000 } } },
  })
  await ask('/conduct/expected', { id: 'banned' })
  const report = async () => {
    const { findings, checks, unjudged } = (await ask('/conduct')).json
    const resultOf = (wanted: string) => checks.find(({ id }: { id: string }) => id === wanted).result
    return {
      ids: findings.map(({ id }: { id: string }) => id),
      results: ['banned', 'expected-finding'].map(resultOf),
      open: unjudged.map((one: { checks: string[] }) => one.checks.includes('expected-finding')),
    }
  }
  // No call was made, so the finding did not come.
  expect(await report()).toEqual({
    ids: ['expected-finding'],
    results: ['unjudged', 'failed'],
    open: [false],
  })
  for (let made = 0; made < 14; made += 1)
    await fetch(`${origin}/v1/pets`, { headers: { Authorization: 'Bearer small' } })
  const { ids, ...rest } = await report()
  expect(ids).not.toContain('expected-finding')
  expect(rest).toEqual({ results: ['unjudged', 'unjudged'], open: [true] })
})

test('expecting a finding twice is one expectation', async () => {
  const { ban, expectBan, ask } = await open()
  await expectBan('one')
  await ban('demo-free+one')
  expect((await expectBan('one')).json).toMatchObject({ from: 1 })
  expect((await ask('/conduct?sandbox=one')).json.expected).toHaveLength(1)
})

test.each([
  [{ id: 'baned' }, 'one', 'invalid_command', 'did you mean banned?'],
  [{ id: 'quota-peak' }, 'one', 'invalid_command', 'one of'],
  [{}, 'one', 'invalid_command', 'id'],
  [{ id: 'banned' }, '*', 'invalid_parameter', 'one sandbox'],
] as const)('%j in %s is refused', async (json, sandbox, code, hint) => {
  const { ask } = await open()
  const reply = await ask(`/conduct/expected?sandbox=${sandbox}`, json)
  expect(reply).toMatchObject({ status: 400, json: { code } })
  expect(reply.json.message).toContain(hint)
})
