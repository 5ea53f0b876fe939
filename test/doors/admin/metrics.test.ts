import parsePrometheusTextFormat from 'parse-prometheus-text-format'
import { expect, test } from 'vitest'
import { writeExposition } from '../../../src/emulator/metrics/exposition.ts'
import { type AdminServer, openAdminServer, times } from '../../support/admin-server.ts'
import { changing } from '../../support/changes.ts'

async function read({ ask }: AdminServer) {
  const { text, headers } = await ask('/metrics')
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const families = new Map(parsePrometheusTextFormat(text).map(family => [family.name, family]))
  return {
    families,
    /** The value of the sample with these labels, as a number. */
    value: (name: string, labels?: Readonly<Record<string, string>>) => {
      const samples = families.get(name)?.metrics ?? []
      const found = samples.find(sample => JSON.stringify(sample.labels) === JSON.stringify(labels))
      return found?.value === undefined ? undefined : Number(found.value)
    },
  }
}

test('calls by operation, status and plan; refusals, bans and rules', async () => {
  const server = await openAdminServer({
    keys: { tight: { plan: 'free', used: { minute: 59 } }, daily: { plan: 'pro', used: { day: 10_000 } } },
    rules: [{ name: 'a "quoted" \\ rule', match: { path: '/v1/store/orders' }, then: { status: 503 } }],
  })
  const { call } = server
  await times(3, () => call('/v1/pets'))
  await call('/v1/pets', 'demo-free+w1')
  await call('/v1/pets/7', 'demo-pro')
  await times(2, () => call('/v1/pets/999', 'demo-pro'))
  await call('/v1/nothing')
  await call('/v1/pets', 'nobody')
  await call('/v1/store/orders')
  await times(13, () => call('/v1/pets', 'tight'))
  await call('/v1/pets', 'daily')
  const { families, value } = await read(server)
  const calls = (operation: string, status: string, plan: string) =>
    value('pet_mock_calls_total', { operation, status, plan })
  expect([
    calls('listPets', '200', 'free'),
    calls('listPets', '429', 'free'),
    calls('listPets', '429', 'pro'),
    calls('getPet', '200', 'pro'),
    calls('getPet', '404', 'pro'),
    calls('none', '404', 'free'),
    calls('listPets', '401', 'none'),
    calls('listOrders', '503', 'free'),
    calls('listOrders', '200', 'free'),
  ]).toEqual([5, 12, 1, 1, 2, 1, 1, 1, undefined])
  expect(value('pet_mock_limit_refusals_total', { window: 'minute' })).toBe(10)
  expect(value('pet_mock_limit_refusals_total', { window: 'day' })).toBe(1)
  expect(value('pet_mock_bans_total')).toBe(1)
  expect(value('pet_mock_banned_calls_total')).toBe(2)
  expect(families.get('pet_mock_rule_hits_total')?.metrics).toHaveLength(1)
  expect((await server.ask('/metrics')).text).toContain('{rule="a \\"quoted\\" \\\\ rule"} 1')
  expect(value('pet_mock_pets')).toBe(200)
  expect(value('pet_mock_sandboxes')).toBe(2)
  expect(value('pet_mock_journal_requests')).toBe(24)
  expect(value('pet_mock_info', { version: '1.2.3' })).toBe(1)
})

test('the histogram has every call since the first admin call once, and no admin call', async () => {
  const server = await openAdminServer({
    rules: [{ name: 'late', match: { operation: 'getPet' }, then: { delay: '30ms' } }],
  })
  await server.call('/v1/pets')
  expect((await read(server)).families.get('pet_mock_call_duration_seconds')?.metrics[0]?.count).toBe('0')
  await times(4, () => server.call('/v1/pets'))
  await server.call('/v1/pets/1')
  const { families } = await read(server)
  const [sample] = families.get('pet_mock_call_duration_seconds')?.metrics ?? []
  expect(sample).toMatchObject({ count: '5', buckets: { '30': '5', '+Inf': '5' } })
  const buckets = Object.entries(sample?.buckets ?? {})
    .sort(
      ([one], [other]) => Number(one.replace('+Inf', 'Infinity')) - Number(other.replace('+Inf', 'Infinity')),
    )
    .map(([, count]) => Number(count))
  expect(buckets).toEqual(buckets.toSorted((one, other) => one - other))
  // What is held back on purpose counts, since that is what clients wait for.
  expect(Number(sample?.buckets?.['0.025'])).toBeLessThan(5)
  expect(Number(sample?.sum)).toBeGreaterThan(0.03)
  expect((await read(server)).families.get('pet_mock_call_duration_seconds')?.metrics[0]?.count).toBe('5')
})

test('counters never fall: not by a reset, a dropped sandbox or an emptied journal', async () => {
  const server = await openAdminServer({ plans: { free: { minute: 5_000, day: 5_000 } } })
  await Promise.all(Array.from({ length: 1_002 }, () => server.call('/v1/pets?limit=1', 'demo-free+w1')))
  const change = changing(server.emulator)
  change({ do: 'clearRequests' }, '*')
  change({ do: 'reset' }, '*')
  change({ do: 'deleteSandbox' }, 'w1')
  const { value } = await read(server)
  expect(value('pet_mock_calls_total', { operation: 'listPets', status: '200', plan: 'free' })).toBe(1_002)
  expect(value('pet_mock_journal_evictions_total')).toBe(2)
  expect(value('pet_mock_journal_requests')).toBe(0)
  expect(value('pet_mock_sandboxes')).toBe(1)
})

test('escaped labels and help texts read back', () => {
  const value = 'a "b" \\ c\nd'
  const help = 'with \\ and\na line'
  const text = writeExposition([
    { name: 'x', help, type: 'gauge', samples: [{ labels: { value }, value: 1.5 }] },
  ])
  expect(text).toBe('# HELP x with \\\\ and\\na line\n# TYPE x gauge\nx{value="a \\"b\\" \\\\ c\\nd"} 1.5\n')
  expect(parsePrometheusTextFormat(text)).toMatchObject([
    { name: 'x', metrics: [{ value: '1.5', labels: { value } }] },
  ])
})

test('rules that come and go do not fill the metrics', async () => {
  const { call, emulator, ask } = await openAdminServer({ plans: { free: { minute: 10_000, day: 10_000 } } })
  const change = changing(emulator)
  for (let number = 0; number < 1_010; number += 1) {
    change({ do: 'addRule', rule: { name: `rule-${number}`, then: { status: 503 } } })
    emulator.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: Date.now(),
    })
    change({ do: 'deleteRule', name: `rule-${number}` })
  }
  expect((await call('/v1/pets')).status).toBe(200)
  const { text } = await ask('/metrics')
  expect(text).toContain('{rule="rule-999"} 1')
  expect(text).toContain('{rule="other rules"} 10')
  expect(text).not.toContain('rule-1000')
})
