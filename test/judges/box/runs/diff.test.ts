import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../../src/control/scenario/file.ts'
import { playBox } from '../../../../src/judges/box/play-box.ts'
import { diffRuns, type Run, readRun } from '../../../../src/judges/box/runs/diff.ts'
import {
  boxOf,
  createWorld,
  type DrawnCall,
  drawnRequest,
  drawnRun,
  makeCalls,
  seen,
} from './planted-runs.ts'

/** A later day, as another run of CI is. */
const later = 86_400_000 * 3

async function runOf(calls: readonly DrawnCall[], begin = 0): Promise<Run> {
  const box = await boxOf(calls, begin)
  return readRun({ box, player: await playBox(box) })
}

const diff = async (green: readonly DrawnCall[], red: readonly DrawnCall[]) =>
  diffRuns(await runOf(green), await runOf(red, later))

describe('one planted difference is named first', () => {
  const settings = { numRuns: 100, seed: 31 }
  const placed = fc
    .record({ run: drawnRun, place: fc.nat(), request: drawnRequest })
    .map(({ run, place, request }) => ({ run, at: place % run.length, request }))

  test('a call that only the red run makes', async () => {
    await fc.assert(
      fc.asyncProperty(
        placed,
        fc.integer({ min: -19_999, max: 19_999 }),
        async ({ run, at, request }, gap) => {
          const beside = run[at]
          if (beside === undefined) return
          const added = { ...beside, ...request, at: Math.max(0, beside.at + gap) }
          const red = [...run, added].toSorted((one, other) => one.at - other.at)
          const [first] = await diff(run, red)
          expect(first).toMatchObject({ green: undefined, red: { number: red.indexOf(added) + 1 } })
        },
      ),
      settings,
    )
  })

  test('a call that the red run does not make', async () => {
    await fc.assert(
      fc.asyncProperty(placed, async ({ run, at }) => {
        const [first] = await diff(run, run.toSpliced(at, 1))
        expect(first).toMatchObject({ green: { number: at + 1 }, red: undefined })
      }),
      settings,
    )
  })

  test('a call that asks for something else', async () => {
    await fc.assert(
      fc.asyncProperty(placed, async ({ run, at, request }) => {
        const was = run[at]
        fc.pre(
          was !== undefined &&
            was.method === request.method &&
            was.target + was.body !== request.target + request.body,
        )
        if (was === undefined) return
        const [first] = await diff(run, run.with(at, { ...was, ...request }))
        expect([first?.green?.number, first?.red?.number]).toContain(at + 1)
      }),
      settings,
    )
  })

  const changes: readonly Command[] = [
    { do: 'changeKey', key: '', plan: 'business' },
    { do: 'banKey', key: '' },
    { do: 'addRule', rule: { match: {}, then: { status: 503 }, times: 1 } },
  ]

  test('a call with a change before it', async () => {
    await fc.assert(
      fc.asyncProperty(placed, fc.constantFrom(...changes), async ({ run, at }, command) => {
        const was = run[at]
        if (was === undefined) return
        const [key = ''] = was.key.split('+')
        const change = 'key' in command ? { ...command, key } : command
        const red = run.with(at, { ...was, change })
        fc.pre(differs(run, red, at))
        const [first] = await diff(run, red)
        expect(first).toMatchObject({ green: { number: at + 1 }, red: { number: at + 1 } })
        expect(first?.sentence).toContain(command.do)
      }),
      settings,
    )
  })

  test('a call at another time', async () => {
    let shown = 0
    const ofOneKey = drawnRun.map(run => run.map(call => ({ ...call, key: 'demo-free' })))
    await fc.assert(
      fc.asyncProperty(ofOneKey, fc.constantFrom(0.01, 0.5, 0.99), async (run, share) => {
        const shifts = run.slice(1, -1).map((was, index) => {
          const [from, to] = [run[index]?.at ?? 0, run[index + 2]?.at ?? 0]
          return {
            at: index + 1,
            red: run.with(index + 1, { ...was, at: Math.round(from + (to - from) * share) }),
          }
        })
        const shift = shifts.find(({ at, red }) => differs(run, red, at))
        fc.pre(shift !== undefined)
        const [first] = await diff(run, shift.red)
        expect(first).toMatchObject({ green: { number: shift.at + 1 }, red: { number: shift.at + 1 } })
        expect(first?.sentence).toMatch(/it came [\d.]+ s (?:earlier|later)/)
        shown += 1
      }),
      { ...settings, endOnFailure: true },
    )
    expect(shown).toBe(100)
  })
})

function differs(green: readonly DrawnCall[], red: readonly DrawnCall[], at: number): boolean {
  const [one, other] = [green, red].map(run => makeCalls(createWorld(), run)[at])
  return one !== undefined && other !== undefined && seen(one) !== seen(other)
}

test('the same run at another time has no difference', async () => {
  await fc.assert(
    fc.asyncProperty(drawnRun, async run => void expect(await diff(run, run)).toEqual([])),
    { numRuns: 50, seed: 31 },
  )
})

describe('in words', () => {
  const call = (at: number, target = '/v1/pets'): DrawnCall => ({
    at,
    method: 'GET',
    target,
    key: 'demo-free',
  })
  const six = (last: number) => [0, 1, 2, 3, 4].map(at => call(at * 1_000)).concat(call(last))

  test('the minute was still full', async () => {
    expect((await diff(six(60_200), six(59_800))).map(({ sentence }) => sentence)).toEqual([
      'Call 6 (GET /v1/pets) got 429 rate_limit_exceeded instead of 200: it came 0.4 s earlier, so the minute was still full.',
    ])
  })

  test('other calls filled the minute', async () => {
    const green = [0, 1, 2, 3].map(at => call(at * 1_000)).concat(call(9_000, '/v1/pets/1'))
    const red = green.toSpliced(2, 0, call(1_500))
    expect((await diff(green, red)).map(({ sentence }) => sentence)).toEqual([
      'Call 3 (GET /v1/pets) is only in the red run, and got 200.',
      'Call 6 (GET /v1/pets/1), call 5 of the green run, got 429 rate_limit_exceeded instead of 200: the minute was full, also by call 3, which only one run has.',
    ])
  })

  test('the key was banned', async () => {
    // The fourth refused call bans the key for 90 s.
    const refused = [5, 6, 7, 8].map(at => call(at * 1_000))
    const start = six(5_000).slice(0, 5)
    const last = call(70_000, '/v1/pets/1')
    const sentences = (await diff([...start, last], [...start, ...refused, last])).map(one => one.sentence)
    expect(sentences.at(-1)).toContain('got 429 api_key_banned instead of 200: ')
    expect(sentences.at(-1)).toMatch(/: the key was banned\.$/)
  })
})
