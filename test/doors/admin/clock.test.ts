import { expect } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { adminOf } from '../../support/admin.ts'
import { sendOverHttp } from '../../support/doors.ts'
import { serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** Calls the API with a key, and returns the status. */
function apiOf(host: string) {
  return (target = '/v1/pets', key = 'demo-free') =>
    sendOverHttp(host, {
      method: 'GET',
      target,
      headers: [['Authorization', `Bearer ${key}`]],
      body: undefined,
    })
}

const at = (time: string) => `2026-03-02T${time}Z`

test.for<[what: string, file: ScenarioFile, target: string, steps: readonly [to: string, status: number][]]>([
  [
    'a day window',
    { keys: { 'demo-free': { used: { minute: 0, day: 1_000 } } } },
    '/v1/pets',
    [
      [at('12:00:01'), 429],
      ['2026-03-03T12:00:00Z', 429],
      ['2026-03-03T12:00:01Z', 200],
    ],
  ],
  [
    'a ban',
    { keys: { 'demo-free': { banned: '90s' } } },
    '/v1/pets',
    [
      [at('12:01:29.999'), 429],
      [at('12:01:30'), 200],
    ],
  ],
  [
    'the expiry of a key',
    { keys: { 'demo-free': { expires: at('12:30:00') } } },
    '/v1/pets',
    [
      [at('12:29:59.999'), 200],
      [at('12:30:00'), 401],
    ],
  ],
  [
    'a brownout',
    { deprecation: { brownouts: [{ from: at('13:00:00'), to: at('14:00:00') }] } },
    '/v1/pets/1',
    [
      [at('12:59:59'), 200],
      [at('13:00:00'), 404],
      [at('14:00:00'), 200],
    ],
  ],
  [
    'a rule that is over',
    { rules: [{ name: 'outage', when: { between: ['10s', '40s'] }, then: { status: 503 } }] },
    '/v1/pets',
    [
      [at('12:00:10'), 200],
      [at('12:00:10.250'), 503],
      [at('12:00:40.250'), 200],
    ],
  ],
])('%s follows the clock', async ([, file, target, steps], { open }) => {
  const { host } = await open({ scenario: scenarioOf(file) })
  for (const [to, status] of steps) {
    await adminOf(host)('POST /clock/advance', { to })
    expect([to, (await apiOf(host)(target)).status]).toEqual([to, status])
  }
})

test('on a clock that runs 30 times as fast a minute is two of the client’s seconds', async ({ open }) => {
  const scenario = scenarioOf({ keys: { 'demo-free': { used: { minute: 59 } } } })
  const { host } = await open({ scenario })
  const [admin, api] = [adminOf(host), apiOf(host)]
  expect((await admin('POST /clock/resume', { scale: 30 })).json).toMatchObject({ frozen: false, scale: 30 })
  await api()
  const refused = await api()
  expect(refused.status).toBe(429)
  expect(['1', '2', '3']).toContain(refused.headers['retry-after'])
})

test('freeze, resume and reset, with a start that nobody sets', async ({ open }) => {
  const { host } = await open()
  const admin = adminOf(host)
  expect((await admin('GET /clock')).json).toEqual({ at: at('12:00:00.250'), frozen: true, scale: 0 })
  expect((await admin('POST /clock/resume')).json).toMatchObject({ frozen: false, scale: 1 })
  expect((await admin('POST /clock/freeze', { at: at('18:00:00') })).json).toEqual({
    at: at('18:00:00'),
    frozen: true,
    scale: 0,
  })
  expect((await admin('POST /clock/freeze')).json?.at).toBe(at('18:00:00'))
  expect((await admin('POST /clock/reset')).json).toEqual((await admin('GET /clock')).json)
})

test.for<[call: string, body: object | string, message: string]>([
  ['advance', {}, 'Expected either by, a duration, or to, an instant.'],
  ['advance', { by: '60s', to: at('13:00:00') }, 'Expected either by, a duration, or to, an instant.'],
  ['advance', { by: 60 }, 'by: expected a duration with its unit (write 60s or 60ms), found 60.'],
  // JSON has a number that no double can hold.
  ['advance', '{"by":1e999}', 'by: expected a duration, such as 90s, 15m or 250ms, found Infinity.'],
  ['advance', { by: -5 }, 'by: expected a duration, such as 90s, 15m or 250ms, found -5.'],
  ['advance', { bye: '60s' }, 'bye: unknown field; did you mean by?'],
  [
    'advance',
    { to: at('11:00:00') },
    'to: the clock is at 2026-03-02T12:00:00.250Z; only a reset or a snapshot moves it back.',
  ],
  [
    'resume',
    { scale: 0, at: 1 },
    'scale: expected a number from 0.001 to 86400 (to stop the clock, use frozen), found 0; at: unknown field; known are scale.',
  ],
  ['freeze', [], 'Expected a map of fields, found an empty list.'],
])('refused, and nothing moved: %s %j', async ([call, body, message], { open }) => {
  const { host } = await open()
  const admin = adminOf(host)
  const before = (await admin('GET /clock')).json
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const refused = await admin(`POST /clock/${call}`, text, [['Content-Type', 'application/json']])
  expect(refused.json).toEqual({ code: 'invalid_command', message, status: 400 })
  expect((await admin('GET /clock')).json).toEqual(before)
})
