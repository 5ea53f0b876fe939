import fc from 'fast-check'
import { createChange } from '../../../src/control/change/change.ts'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { Command } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { extendShipped } from '../../../src/control/scenario/shipped.ts'
import {
  captureSandboxes,
  captureWorld,
  writeSandboxes,
  writeWorld,
} from '../../../src/control/snapshot/take.ts'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import { recordBox } from '../../../src/judges/box/record-box.ts'

/** The worlds and the clocks' keeper as text. */
export function worldsOf({ sandboxes }: Emulator): string {
  const ahead = [...sandboxes].map(({ aheadMs }) => aheadMs)
  return `${[...writeSandboxes(captureSandboxes(sandboxes))].join('')}${JSON.stringify([ahead, sandboxes.time.state[1]])}`
}

export const ownKeys = ['partner-live-0123456789', 'k1', 'partner-x', 'zzz-unknown']

const key = fc.constantFrom('demo-free', 'demo-pro', ...ownKeys)
const sandbox = fc.constantFrom('', '+a', '+worker-3', '+default', '+b?')
const header = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(key, sandbox).map(([text, name]) => ['Authorization', `Bearer ${text}${name}`]),
  },
  fc.constantFrom(
    [],
    ['Authorization', 'Bearer two words-secret'],
    ['authorization', 'Basic c2VjcmV0LXBhc3M='],
  ),
  fc.constant(['Authorization', 'Bearer demo-free', 'Authorization', 'Bearer partner-x']),
)
const body = fc.constantFrom(
  '{"name":"Rex","categoryId":1}',
  '{"name":"Rex","categoryId":9007199254740995,"status":"sold","password":"hunter2-secret"}',
  '{"name":7}',
  'no json',
  '',
)
const callStep = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'DELETE', 'OPTIONS'),
  target: fc.constantFrom(
    '/v1/pets',
    '/v1/pets?limit=3',
    '/v1/pets/1',
    '/v1/pets/999',
    '/v1/store/orders',
    '/v1/nothing',
    '/openapi.yaml',
    '/v1/pets?api_key=partner-live-0123456789',
  ),
  header,
  body,
})
const command: fc.Arbitrary<Command> = fc.constantFrom<Command>(
  { do: 'advanceClock', by: '30s' },
  { do: 'freezeClock' },
  { do: 'resumeClock', scale: 10 },
  { do: 'resetClock' },
  { do: 'banKey', key: 'demo-free', for: '1m' },
  { do: 'addKey', key: 'k1', plan: 'free' } as Command,
  { do: 'deleteKey', key: 'partner-x' },
  { do: 'changeKey', key: 'partner-live-0123456789', plan: 'pro' } as Command,
  { do: 'addPet', name: 'Own', categoryId: 2 } as Command,
  {
    do: 'addRule',
    rule: { match: { key: 'partner-*' }, when: { probability: 0.5 }, then: { status: 503 } },
  } as unknown as Command,
  {
    do: 'addRule',
    rule: { name: 'one', match: { key: 'k1' }, then: { fault: 'reset' } },
  } as unknown as Command,
  { do: 'reset' },
  { do: 'useScenario', scenario: 'ban' },
  {
    do: 'useScenario',
    scenario: { extends: 'free-plan', seed: 7, limits: { window: 'calendar' } },
    name: 'mine',
  } as Command,
  { do: 'deleteSandbox' },
)
export type RunStep =
  | {
      readonly call: { method: string; target: string; header: string[]; body: string }
      readonly pass: number
    }
  | { readonly command: Command; readonly sandbox: string | undefined; readonly pass: number }
  | { readonly noted: true; readonly pass: number }
  | { readonly adopts: number; readonly pass: number }
  /** Takes a snapshot of the default sandbox, or restores the last one. */
  | { readonly snapshot: 'take' | 'load'; readonly pass: number }
const pass = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  fc.constantFrom(61_000, -5_000, -120_000, 7_200_000),
)
const step: fc.Arbitrary<RunStep> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ call: callStep, pass }) as fc.Arbitrary<RunStep> },
  {
    weight: 3,
    arbitrary: fc.record({ command, sandbox: fc.constantFrom(undefined, '*', 'a', 'worker-3'), pass }),
  },
  { weight: 1, arbitrary: fc.record({ noted: fc.constant(true as const), pass }) },
  { weight: 1, arbitrary: fc.record({ snapshot: fc.constantFrom('take' as const, 'load' as const), pass }) },
  { weight: 1, arbitrary: fc.record({ adopts: fc.integer({ min: 2, max: 5 }), pass }) },
)
const scenarios = ['free-plan', 'ban', 'flaky', 'midnight', 'own']
export const drawnRun = fc.record({
  scenario: fc.constantFrom(...scenarios),
  /** How many steps happen before the box begins. */
  before: fc.nat(10),
  steps: fc.array(step, { minLength: 1, maxLength: 60 }),
})

const own = {
  extends: 'free-plan',
  keys: {
    'partner-live-0123456789': { plan: 'free' },
    'partner-x': { plan: 'pro', used: { minute: 3 } },
  },
  rules: [
    { name: 'flaky', match: { key: 'partner-live*' }, when: { probability: 0.4 }, then: { status: 500 } },
  ],
  events: [{ after: '5 calls', change: { do: 'changeKey', key: 'partner-x', revoked: true } }],
}

export function settleNamed(name: string, seed?: number) {
  const file = name === 'own' ? { ...own, ...(seed && { seed }) } : { extends: name, ...(seed && { seed }) }
  return settle(name, extendShipped(file as never), shippedFixtures, undefined)
}

/** Carries out a run. Returns the box, and the worlds before each of its calls and at its end. */
export function record({
  scenario,
  before,
  steps,
}: {
  scenario: string
  before: number
  steps: readonly RunStep[]
}) {
  let now = Date.parse('2026-03-02T09:00:00Z')
  let steady = 0
  let taken: string | undefined
  const emulator = createEmulator({
    scenario: settleNamed(scenario),
    startedAt: now,
    steady: () => steady,
    runEvent: createEventRunner('fetch'),
  })
  const change = createChange(emulator.sandboxes, shippedFixtures, 'fetch')
  const worlds: string[] = []
  let recorder: ReturnType<typeof recordBox> | undefined
  steps.forEach((one, index) => {
    if (index === before) recorder = recordBox(emulator, { version: '0.0.0', door: 'fetch' })
    now += one.pass
    steady += Math.max(0, one.pass)
    if ('call' in one) {
      if (recorder !== undefined) worlds.push(worldsOf(emulator))
      const { method, target, header, body } = one.call
      emulator.handle({
        method,
        target,
        headers: [
          'Host',
          'localhost:7387',
          ...header,
          ...(method === 'POST' ? ['Content-Type', 'application/json'] : []),
        ],
        body: method === 'POST' ? new TextEncoder().encode(body) : undefined,
        scheme: 'http',
        client: '127.0.0.1',
        receivedAt: now,
      })
    } else if ('command' in one) change(one.sandbox, one.command, now)
    else if ('noted' in one) emulator.sandboxes.note(now)
    else if ('snapshot' in one) {
      if (one.snapshot === 'take') taken = [...writeWorld(captureWorld(emulator.sandboxes.default))].join('')
      else if (taken !== undefined)
        change(undefined, { do: 'loadSnapshot', snapshot: JSON.parse(taken) }, now)
    } else emulator.sandboxes.adopt(settleNamed(scenario, one.adopts), now)
  })
  recorder ??= recordBox(emulator, { version: '0.0.0', door: 'fetch' })
  return { lines: recorder.end(), worlds, end: worldsOf(emulator) }
}
