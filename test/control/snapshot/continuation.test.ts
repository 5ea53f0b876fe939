import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../../src/base/json/read.ts'
import type { writeJson } from '../../../src/base/json/write.ts'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import type { Command, ScenarioFile } from '../../../src/control/scenario/file.ts'
import type { Snapshot } from '../../../src/control/snapshot/saved.ts'
import { captureSandboxes, writeSandboxes } from '../../../src/control/snapshot/take.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { changing } from '../../support/changes.ts'
import { readCommand } from '../../support/read-command.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../../support/snapshots.ts'

const start = Date.UTC(2026, 2, 2)

/** What happens to an emulator: a call, or a change in a sandbox, some time after the one before. */
type Step = { readonly after: number } & (
  | { readonly target: string; readonly key: string | undefined; readonly body: string | undefined }
  | { readonly sandbox: string | undefined; readonly command: Command }
)

function open(file: ScenarioFile) {
  const emulator = createEmulator({
    scenario: scenarioOf(file),
    startedAt: start,
    runEvent: createEventRunner(),
  })
  const change = changing(emulator)
  const exchanges: Exchange[] = []
  emulator.observe(exchange => exchanges.push(exchange))
  const play = (step: Step, now: number) =>
    'command' in step
      ? change(step.command, step.sandbox, now)
      : [emulator.handle(call(step.target, step.key, now, step.body)), ...exchanges.splice(0)].map(asSeen)
  return { emulator, change, play }
}

/** `octets` are the body once more, in the form in which a page that is asked for again is kept. */
function asSeen<T extends Reply | Exchange>(seen: T): object {
  if (!('reply' in seen)) return { ...seen, octets: undefined }
  return { ...seen, reply: { ...seen.reply, octets: undefined } }
}

function call(target: string, key: string | undefined, receivedAt: number, body?: string): Call {
  const authorization = key === undefined ? [] : ['Authorization', `Bearer ${key}`]
  return {
    method: body === undefined ? 'GET' : 'POST',
    target,
    headers: ['Host', 'localhost', ...authorization, 'Content-Type', 'application/json'],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt,
  }
}

const after = fc.nat(20_000)
const keys = ['demo-free', 'demo-pro', 'tiny', '__proto__']

const calls: fc.Arbitrary<Step> = fc.record({
  target: fc.constantFrom(
    '/v1/pets',
    '/v1/pets?status=sold&limit=3',
    '/v1/pets/101',
    '/v1/pets/1',
    '/v1/store/orders',
    '/v1/nothing',
  ),
  key: fc.constantFrom(undefined, ...keys, 'tiny+a', 'demo-free+b', 'nobody+a'),
  body: fc.constantFrom(undefined, undefined, '{"name":"Rex\\ud800","categoryId":9223372036854775807}', '{}'),
  after,
})

const petOf = (id: number | bigint): Command[] => [
  { do: 'deletePet', id },
  { do: 'changePet', id, status: 'sold', name: 'Renamed' },
]

const changes: fc.Arbitrary<Step> = fc.record({
  sandbox: fc.constantFrom(undefined, 'a', 'b', '*'),
  command: fc.constantFrom<Command[]>(
    { do: 'advanceClock', by: '50s' },
    { do: 'advanceClock', by: '24h' },
    { do: 'freezeClock' },
    { do: 'resumeClock', scale: 7.3 },
    { do: 'resumeClock' },
    { do: 'resetClock' },
    { do: 'banKey', key: 'tiny', for: '90s' },
    { do: 'unbanKey', key: 'tiny' },
    { do: 'addKey', key: 'later', plan: 'free', used: { minute: 59 } },
    { do: 'changeKey', key: 'demo-free', plan: 'pro', expires: '2026-03-02T12:01:00Z' },
    { do: 'deleteKey', key: 'demo-pro' },
    { do: 'addPet', name: 'Tom', categoryId: 2n ** 60n },
    ...[1, 3, 101, 9007199254740993n].flatMap(petOf),
    { do: 'reset' },
    { do: 'deleteSandbox' },
    { do: 'useScenario', scenario: { extends: 'flaky', pets: { count: 2, firstId: 2n ** 62n } } },
  ),
  after,
})

const steps = fc.array(fc.oneof({ weight: 4, arbitrary: calls }, { weight: 1, arbitrary: changes }), {
  maxLength: 40,
})

/** How a snapshot may come back: by any client's JSON, or by one that writes int64s as digits. */
const ways: Readonly<Record<string, (text: string) => unknown>> = {
  'JSON.parse': text => JSON.parse(text),
  'an exact reader': text => readExactly(text),
  'bare digits': text =>
    readExactly(text.replace(/"(?:id|categoryId|firstId|nextId)":"(-?\d+)"/g, bareDigits)),
}

function readExactly(text: string): unknown {
  const reading = readJson(text)
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.value
}

function bareDigits(field: string): string {
  return field.replace(/"(-?\d+)"$/, '$1')
}

/** Through text, through the schema, and through the language of change: the way that users have. */
async function putBack(
  copy: ReturnType<typeof open>,
  text: string,
  way: (text: string) => unknown,
  where?: string,
) {
  const value = way(text) as Parameters<typeof writeJson>[0]
  const reading = await readCommand({ do: 'loadSnapshot', snapshot: value })
  if (!reading.ok) throw new Error(reading.problems.join('\n'))
  expect(copy.change(reading.command, where, start)).toMatchObject({ ok: true })
}

const plain: ScenarioFile = {
  keys: { tiny: { plan: 'free', limits: { minute: 2 } }, ['__proto__']: { plan: 'free' } },
  bans: { after: 3, for: '1m', escalate: { factor: 2 } },
}

const scenarios: readonly (readonly [string, ScenarioFile])[] = [
  ['a frozen clock', plain],
  ['a running clock', { ...plain, clock: { frozen: false } }],
  ['a scaled clock', { ...plain, clock: { frozen: false, scale: 30 }, limits: { window: 'calendar' } }],
  [
    'a clock behind real time, and a key that another client uses too',
    {
      clock: { at: null, frozen: false, offset: '-3m' },
      keys: {
        tiny: { plan: 'free', sharedUse: { perMinute: 7.5 } },
        'demo-free': { sharedUse: { perMinute: 90 } },
      },
    },
  ],
  [
    'forms of Retry-After that take turns',
    {
      ...plain,
      limits: { retryAfter: ['seconds', 'twice', 'asctime-date'], anonymous: 'enforce' },
      rules: [{ when: { every: 2 }, then: { status: 429 } }],
    },
  ],
  [
    'events',
    {
      ...plain,
      events: [
        { after: 2, change: { do: 'addPet', name: 'Tom', categoryId: 2n ** 60n } },
        { after: '3 calls', key: 'demo-pro', change: { do: 'changeKey', key: 'demo-pro', revoked: true } },
        { after: '20s', change: { do: 'banKey', key: 'tiny', for: '1m' } },
        { after: '30s', change: { do: 'addRule', rule: { when: { every: 3 }, then: { status: 503 } } } },
        { after: 9, key: 'demo-free', change: { do: 'deleteKey', key: 'demo-pro' } },
        { after: '1m', change: { do: 'advanceClock', by: '10s' } },
      ],
    },
  ],
  [
    'rules that count and draw',
    {
      ...plain,
      rules: [
        {
          match: { body: { categoryId: 9223372036854775807n } },
          when: { every: 2 },
          then: { fault: 'reset' },
        },
        { when: { probability: 0.4 }, then: { status: 503, headers: { A: 'b' } }, times: 5 },
        { when: { after: '10s' }, then: { delay: { uniform: ['1ms', '9s'] } }, ttl: '5m' },
        { when: { probability: 0.3 }, then: { delay: { lognormal: { median: '9ms', p99: '1s' } } } },
      ],
    },
  ],
  [
    'ids beyond 2^53 and ids that are gone',
    { ...plain, pets: { count: 5, firstId: 9007199254740992n, gone: [9007199254740994n] } },
  ],
]

test.each(scenarios)(
  'on %s, all sandboxes that were put back through JSON go on as the originals do, byte by byte',
  async (_, file) => {
    await fc.assert(
      fc.asyncProperty(steps, steps, fc.constantFrom(...Object.values(ways)), async (before, later, way) => {
        const original = open(file)
        let now = start
        for (const step of before) {
          now += step.after
          original.play(step, now)
        }
        const taken = takeSandboxesSnapshot(original.emulator.sandboxes)
        const text = [...writeSandboxes(captureSandboxes(original.emulator.sandboxes))].join('')
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(taken)))

        const copy = open({ seed: 99, pets: { count: 1 } })
        copy.play({ after: 0, target: '/v1/pets', key: 'demo-free+gone', body: undefined }, start)
        /** As the snapshot of the original is; the copy has had one sandbox more, which it remembers. */
        const ofCopy = () => {
          const { dropped, ...rest } = takeSandboxesSnapshot(copy.emulator.sandboxes)
          const [gone, ...others] = dropped
          expect(gone).toEqual({ name: 'gone', nextExchange: 2 })
          const { version, startsFrom, ...worlds } = rest
          return JSON.stringify({ version, startsFrom, dropped: others, ...worlds })
        }
        await putBack(copy, text, way, '*')
        expect(copy.emulator.sandboxes.names()).toEqual(original.emulator.sandboxes.names())
        expect(ofCopy()).toBe(JSON.stringify(taken))
        for (const step of later) {
          now += step.after
          expect(copy.play(step, now)).toEqual(original.play(step, now))
        }
        expect(ofCopy()).toBe(JSON.stringify(takeSandboxesSnapshot(original.emulator.sandboxes)))
      }),
      { numRuns: 60 },
    )
  },
)

test.each(scenarios)(
  'on %s, one sandbox that was put back in another goes on as the original',
  async (_, file) => {
    const isOfDefault = (step: Step) => 'command' in step || step.key === undefined || !step.key.includes('+')
    const ofDefault = fc
      .array(
        fc.oneof(
          calls,
          changes.map(step => ({ ...step, sandbox: undefined })),
        ),
        { maxLength: 30 },
      )
      .map(all => all.filter(isOfDefault))
    await fc.assert(
      fc.asyncProperty(
        ofDefault,
        ofDefault,
        fc.constantFrom(...Object.values(ways)),
        async (before, later, way) => {
          const original = open(file)
          const copy = open({ seed: 99, pets: { count: 1 } })
          let now = start
          for (const step of before) {
            now += step.after
            original.play(step, now)
          }
          await putBack(copy, JSON.stringify(takeSnapshot(original.emulator.sandboxes.default)), way)
          for (const step of later) {
            if (
              'command' in step &&
              (step.command.do === 'deleteSandbox' || step.command.do === 'useScenario')
            )
              continue
            now += step.after
            expect(copy.play(step, now)).toEqual(original.play(step, now))
          }
        },
      ),
      { numRuns: 30 },
    )
  },
)

test.each<[string, (emulator: ReturnType<typeof open>['emulator']) => Snapshot]>([
  ['of one sandbox', ({ sandboxes }) => takeSnapshot(sandboxes.default)],
  ['of all', ({ sandboxes }) => takeSandboxesSnapshot(sandboxes)],
])('a snapshot %s is a value: what happens later does not change it', (_, take) => {
  const { emulator } = open({})
  const snapshot = take(emulator)
  const before = JSON.stringify(snapshot)
  emulator.handle(call('/v1/pets', 'demo-free', start, '{"name":"Rex","categoryId":1}'))
  emulator.handle(call('/v1/pets', undefined, start))
  emulator.sandboxes.default.pets.delete(1)
  expect(JSON.stringify(snapshot)).toBe(before)
})

test.each([1, 3])('after a restore, the id of a deleted pet stays used up (%i pets at the start)', count => {
  const { emulator, change } = open({ pets: { count } })
  const create = () =>
    emulator.sandboxes.default.pets.create({ name: 'Rex', categoryId: 1, status: undefined })
  const { id } = create()
  change({ do: 'deletePet', id })
  change({ do: 'loadSnapshot', snapshot: takeSnapshot(emulator.sandboxes.default) })
  expect(create().id).toBe(Number(id) + 1)
})

test('what is captured is written later as it stood', () => {
  const { emulator } = open({})
  const before = JSON.stringify(takeSandboxesSnapshot(emulator.sandboxes))
  const captured = captureSandboxes(emulator.sandboxes)
  emulator.handle(call('/v1/pets', 'demo-free', start, '{"name":"Rex","categoryId":1}'))
  emulator.sandboxes.default.pets.delete(1)
  expect(JSON.parse([...writeSandboxes(captured)].join(''))).toEqual(JSON.parse(before))
})

test('a snapshot is written in pieces of 500 pets, so that calls are answered in between', () => {
  const { emulator } = open({ pets: { count: 1_200 } })
  const pieces = [...writeSandboxes(captureSandboxes(emulator.sandboxes))]
  const petsIn = (piece: string) => piece.match(/\{"id":/g)?.length ?? 0
  expect(pieces.map(petsIn).filter(pets => pets > 0)).toEqual([500, 500, 200])
})

test('what sandboxes share, they share after a restore: pets are kept once, however many sandboxes there are', () => {
  const { emulator, change } = open({ pets: { count: 2_000 } })
  for (let worker = 0; worker < 200; worker += 1)
    emulator.handle(call('/v1/pets', `demo-free+w${worker}`, start, '{"name":"Rex","categoryId":1}'))
  const snapshot = takeSandboxesSnapshot(emulator.sandboxes)
  expect(snapshot.scenarios).toHaveLength(1)
  expect(snapshot.sandboxes.map(({ pets }) => pets.list.length)).toEqual([0, ...Array(200).fill(1)])
  const { scenario } = emulator.sandboxes
  change({ do: 'loadSnapshot', snapshot: JSON.parse(JSON.stringify(snapshot)) }, '*')
  expect(new Set(Array.from(emulator.sandboxes, world => world.scenario))).toEqual(new Set([scenario]))
})
