import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../../src/control/scenario/file.ts'
import type { Exchange } from '../../../../src/emulator/journal/exchange.ts'
import { playBox } from '../../../../src/judges/box/play-box.ts'
import { playWhatIf, readOtherwise, whatIfLines, withRules } from '../../../../src/judges/box/runs/what-if.ts'
import { boxOf, createWorld, type DrawnCall, drawnRun, makeCalls } from './planted-runs.ts'

async function whatIf(run: readonly DrawnCall[], from: number, otherwise: string) {
  const parsed = readOtherwise(otherwise)
  if (typeof parsed === 'string') return parsed
  const box = await boxOf(run)
  return playWhatIf(box, () => playBox(box), from, parsed)
}

const answer = ({ reply: { status, headers, body, delayMs } }: Exchange) =>
  JSON.stringify([status, headers, body, delayMs])

const changes: readonly (readonly [string, (key: string) => Command])[] = [
  ['plan=business', key => ({ do: 'changeKey', key, plan: 'business' })],
  ['ban=5m', key => ({ do: 'banKey', key, for: '5m' })],
  ['ban=off', key => ({ do: 'unbanKey', key })],
]

test('in 100 drawn runs, it names the responses that the same change in the run gives', async () => {
  await fc.assert(
    fc.asyncProperty(drawnRun, fc.nat(), fc.constantFrom(...changes), async (run, place, [text, command]) => {
      const at = place % run.length
      const changed = run[at]
      if (changed === undefined) return
      const red = run.with(at, { ...changed, change: command(changed.key.split('+')[0] ?? '') })
      const [was, is] = [run, red].map(calls => makeCalls(createWorld(), calls).map(answer))
      const expected = was?.flatMap((one, index) => (one === is?.[index] ? [] : [index + 1]))
      const result = await whatIf(run, at + 1, text)
      if (typeof result === 'string') throw new Error(result)
      expect(result.different.map(pair => pair.red?.number)).toEqual(expected)
      expect(result.calls).toBe(run.length - at)
    }),
    { numRuns: 100, seed: 31 },
  )
})

const call = (at: number, key = 'demo-free'): DrawnCall => ({ at, method: 'GET', target: '/v1/pets', key })
const eleven = Array.from({ length: 11 }, (_, index) => call(index * 1_000))

describe('one thing is otherwise', () => {
  test.each([
    [
      'plan=business',
      7,
      [
        'From call 7 on, other responses: 5 of 5, 5 of them in the status.',
        'The first: Call 7 (GET /v1/pets) got 200 instead of 429 rate_limit_exceeded.',
      ],
    ],
    [
      'limits.retryAfter=http-date',
      2,
      [
        'From call 2 on, other responses: 6 of 10, 0 of them in the status.',
        'The first: Call 6 (GET /v1/pets) got retry-after: Sun, 22 Nov 2026 12:01:00 GMT instead of 55.',
      ],
    ],
    [
      'bans=off',
      1,
      [
        'From call 1 on, other responses: 3 of 11, 0 of them in the status.',
        'The first: Call 9 (GET /v1/pets) got 429 rate_limit_exceeded instead of 429 api_key_banned.',
      ],
    ],
    ['bans.after=4', 1, ['From call 1 on, other responses: 0 of 11. The change makes no difference.']],
  ] as const)('%s from call %i on', async (text, from, lines) => {
    const result = await whatIf(eleven, from, text)
    expect(typeof result === 'string' ? result : whatIfLines(result, from)).toEqual(lines)
  })

  test('a rule', async () => {
    const box = await boxOf(eleven)
    const rule = withRules([{ match: { path: '/v1/pets' }, then: { status: 503 }, times: 1 }])
    const result = await playWhatIf(box, () => playBox(box), 3, rule)
    expect(typeof result === 'string' ? result : whatIfLines(result, 3)).toEqual([
      'From call 3 on, other responses: 1 of 9, 1 of them in the status.',
      'The first: Call 3 (GET /v1/pets) got 503 injected_fault instead of 200.',
    ])
  })

  test('a profile', async () => {
    const box = await boxOf(eleven)
    const line = { value: 2, state: 'observed', seen: 3, last: '2026-11-22' } as const
    const profile = {
      profile: 1,
      service: 'x',
      learned: { 'bans.status': { ...line, value: 403 } },
      unknown: [],
    } as const
    const result = await playWhatIf(box, () => playBox(box), 3, { fields: {}, profile })
    expect(typeof result === 'string' ? result : whatIfLines(result, 3)[1]).toContain(
      'got 403 api_key_banned instead of 429',
    )
  })

  test.each([
    ['plan=gold', /^plan: unknown plan "?gold/],
    ['limits.retryAfter=soon', /^limits\.retryAfter: expected/],
    ['nothing=1', /^unknown setting "?nothing"?; there are plan/],
    ['limit.window=calendar', /did you mean limits.window/],
    ['pets.count=3', /^unknown setting/],
    ['ban=soon', /for: expected/],
  ])('%s is refused', async (text, message) => {
    expect(await whatIf(eleven, 2, text)).toMatch(message)
  })

  test('a call without a key, and no call', async () => {
    const run = [call(0, 'unknown-key')]
    expect(await whatIf(run, 1, 'plan=pro')).toBe('the call has no valid key: name one that has')
    await expect(whatIf(run, 9, 'plan=pro')).rejects.toThrow('there is no call 9')
    expect(readOtherwise('plan')).toBe('expected NAME=VALUE, such as plan=pro, found "plan"')
  })
})
