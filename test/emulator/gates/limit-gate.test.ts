import { expect, it, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { CallContext } from '../../../src/emulator/gates/call-context.ts'
import { rateLimitExceeded } from '../../../src/emulator/gates/limit-gate.ts'
import { createWorld } from '../../../src/emulator/worlds/world.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

interface Asked {
  readonly at?: number
  readonly resetsAt?: number
  readonly quota?: number
  readonly reported?: 'minute' | 'day'
  readonly plan?: string
}

/** Refuses calls of one client, one after the other. */
function refusing(retryAfter: 'seconds' | 'http-date' = 'seconds') {
  const world = createWorld('default', scenarioOf({ limits: { retryAfter } }), noon)
  const windows = { minute: { used: 0 }, day: { used: 0 } } as never
  return ({ at = noon, resetsAt = noon + 30_000, quota = 60, reported = 'minute', plan = 'free' }: Asked) => {
    const reading = { limit: quota, used: quota, others: 0, endsAt: resetsAt, openedBy: 1 }
    const limit = { accepted: false, minute: reading, day: reading, reported }
    const rate = { limit: quota, remaining: 0, resetsAt, fields: undefined }
    const context = { world, at, date: at } as CallContext
    return rateLimitExceeded(context, windows, { limit, rate }, plan)
  }
}

// It is the same object: that is all that can be seen of it from outside.
it('gives a client that retries at once the same refusal', () => {
  const refuse = refusing()
  const first = refuse({})
  expect(refuse({ at: noon + 100 })).toBe(first)
})

it.each<[what: string, asked: Asked, message: string]>([
  [
    'wait',
    { at: noon + 10_000 },
    'Rate limit exceeded: 60 requests per minute (the Free plan). Retry in 21 s.',
  ],
  ['quota', { quota: 1 }, 'Rate limit exceeded: 1 request per minute (the Free plan). Retry in 31 s.'],
  ['window', { reported: 'day' }, 'Rate limit exceeded: 60 requests per day (the Free plan). Retry in 31 s.'],
  ['plan', { plan: 'pro' }, 'Rate limit exceeded: 60 requests per minute (the Pro plan). Retry in 31 s.'],
])('a refusal with another %s is another one', (_, asked, message) => {
  const refuse = refusing()
  refuse({})
  expect(JSON.parse(refuse(asked).body).message).toBe(message)
})

it('gives the date of the window that is full now', () => {
  const refuse = refusing('http-date')
  refuse({})
  const later = refuse({ at: noon + 60_000, resetsAt: noon + 90_000 })
  expect(later.headers).toMatchObject({ 'Retry-After': 'Mon, 02 Mar 2026 12:01:31 GMT' })
})

test.each<[what: string, file: ScenarioFile, dialect: 'ietf' | undefined, names: readonly string[]]>([
  ['no dialect, as a snapshot of an older version', {}, undefined, ['X-RateLimit-Limit']],
  ['the dialect of the draft', {}, 'ietf', ['RateLimit']],
])('a scenario with %s has its limit headers', (_, file, dialect, names) => {
  const scenario = scenarioOf(file)
  const { behaviour } = scenario
  const limits = { ...behaviour.limits, dialect }
  const { handle } = createEmulator({
    scenario: { ...scenario, behaviour: { ...behaviour, limits } },
    startedAt: noon,
  })
  const { headers } = handle({
    method: 'GET',
    target: '/v1/pets',
    headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
    body: undefined,
    scheme: 'http',
    client: 'a',
    receivedAt: noon,
  })
  expect(['X-RateLimit-Limit', 'RateLimit'].filter(name => name in headers)).toEqual(names)
})
