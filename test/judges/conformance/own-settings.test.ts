import { describe, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { type CheckId, checks } from '../../../src/judges/conformance/checks.ts'
import { checkEmulator } from '../../support/check-emulator.ts'

/** pet-mock with one of its settings: no error, and these notes. */
const settings: Readonly<Record<string, readonly [file: ScenarioFile, ...notes: CheckId[]]>> = {
  'as it is': [{}],
  'limits.headers: day': [{ limits: { headers: 'day' } }],
  'limits.headers: minute': [{ limits: { headers: 'minute' } }],
  'limits.dialect: both': [{ limits: { dialect: 'both' } }],
  'limits.window: calendar': [{ limits: { window: 'calendar' } }],
  'limits.retryAfter: http-date': [{ limits: { retryAfter: 'http-date' } }],
  'limits.countRefused': [{ limits: { countRefused: true } }],
  'limits.anonymous: enforce': [{ limits: { anonymous: 'enforce' } }],
  'bans: off': [{ bans: 'off' }],
  'bans.after: 1': [{ bans: { after: 1, for: '60s' } }],
  'bans.after: 2': [{ bans: { after: 2 } }],
  'bans.status: 401': [{ bans: { after: 2, status: 401 } }],
  'bans.status: 403': [{ bans: { after: 2, status: 403 } }],
  'bans.escalate and extend': [{ bans: { after: 2, escalate: { factor: 2, max: '1h' }, extend: true } }],
  'pageSize: clamp': [{ pageSize: 'clamp' }, 'list-limit-refused'],
  'pagination: none': [{ pagination: 'none' }, 'page-linked', 'page-cursor-refused'],
  'pets.defaultStatus': [{ pets: { defaultStatus: 'sold' } }, 'create-status-absent'],
  'deprecation.since': [{ deprecation: { since: '2026-01-01T00:00:00Z' } }],
  'after the removal': [{ clock: { at: '2030-12-05T00:00:00Z', frozen: true } }],
  'deprecation.after: 410': [
    { clock: { at: '2031-01-01T00:00:00Z', frozen: true }, deprecation: { after: 410 } },
    'get-malformed',
  ],
  'deprecation.after: keep': [
    { clock: { at: '2031-01-01T00:00:00Z', frozen: true }, deprecation: { after: 'keep' } },
  ],
  'no pets': [{ pets: { count: 0 } }],
  'one pet': [{ pets: { count: 1 } }],
  '500 pets': [{ pets: { count: 500 } }],
}

test('with limits.dialect: ietf, pet-mock fails its own check: it lacks the headers of the specification', async () => {
  const { outcome } = await checkEmulator({}, {}, { limits: { dialect: 'ietf' } })
  expect(outcome.failed.map(({ check }) => check)).toContain('limit-headers')
  for (const { detail } of outcome.failed) expect(detail).toMatch(/x-ratelimit-limit.*x-ratelimit-reset/)
})

test('a wrong key is one error, and nothing else is judged', async () => {
  const { outcome } = await checkEmulator({}, {}, { keys: { 'demo-free': { revoked: true } } })
  expect([...new Set(outcome.failed.map(({ check }) => check))]).toEqual(['auth-accepted'])
  expect(outcome.calls).toBe(2)
  expect(outcome.leftOut).toContain(
    'everything: incomplete, because the service rejects the value of --key with 401',
  )
})

describe.each([[false], [true]])('with --exhaust: %s, pet-mock passes its own check', exhausts => {
  test.each(Object.entries(settings))('with %s', async (_, [file, ...notes]) => {
    const { outcome } = await checkEmulator({}, { exhausts }, file)
    const failed = outcome.failed.map(({ check, request, detail }) => `${check} ${request.target} ${detail}`)
    const isError = (failure: string) => checks[failure.split(' ')[0] as CheckId].severity === 'error'
    expect(failed.filter(isError)).toEqual([])
    // The minute is used up, and the headers show the day.
    const ofDay: readonly CheckId[] = exhausts && file.limits?.headers === 'day' ? ['limit-announced'] : []
    const ids = [...new Set(outcome.failed.map(({ check }) => check))]
    expect(ids.toSorted()).toEqual([...notes, ...ofDay].toSorted())
  })
})
