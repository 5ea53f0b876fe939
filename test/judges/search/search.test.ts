import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { drawSituation } from '../../../src/judges/search/draw.ts'
import type { Attempt } from '../../../src/judges/search/runs.ts'
import { scenarioOf } from '../../../src/judges/search/scenario-of.ts'
import { type SearchOptions, search, smallerSituations } from '../../../src/judges/search/search.ts'
import { showSituation } from '../../../src/judges/search/show-situation.ts'
import {
  type DrawnSituation,
  type PartName,
  partNames,
  usualParts,
} from '../../../src/judges/search/situation.ts'
import { createInProcessTarget } from '../../../src/judges/walkthrough/in-process.ts'
import { hasPassed, type PlayedStep, play } from '../../../src/judges/walkthrough/play.ts'
import { hostileForms, legalForms } from '../../../src/service/limits/retry-after.ts'

const calls = 6

/** Runs a search. A predicate stands for the client: it says whether the client fails in a situation. */
async function searchBy(
  fails: (situation: DrawnSituation, run: number) => boolean | Promise<boolean>,
  { budget = 400, ...options }: Partial<SearchOptions> & { readonly budget?: number } = {},
) {
  const tried: DrawnSituation[] = []
  const attempt: Attempt = async situation => {
    tried.push(situation)
    return (await fails(situation, tried.length)) ? 'exit code 1' : undefined
  }
  const result = await search(attempt, {
    calls,
    parts: new Set(partNames),
    seed: 1,
    path: undefined,
    confirm: 3,
    jobs: 1,
    mayRun: made => made < budget,
    onPhase: () => {},
    ...options,
  })
  return { ...result, tried }
}

const minuteAndDate: DrawnSituation = { minute: 3, retryAfter: 'http-date' }
const failsAt = ({ minute = calls, retryAfter = 'seconds' }: DrawnSituation) =>
  minute <= 3 && retryAfter !== 'seconds'

describe('a search', () => {
  test('finds the smallest situation that breaks a client', async () => {
    const { found, isSmallest, runs, tried } = await searchBy(failsAt)
    expect(found).toEqual({ situation: minuteAndDate, failure: 'exit code 1', runs: 4, failed: 4 })
    expect(isSmallest).toBe(true)
    expect(runs).toBe(tried.length)
    expect(runs).toBeLessThanOrEqual(100)
  })

  test('makes nothing larger than needed in any one part', async () => {
    const values = drawSituation(calls, new Set(partNames))
    await fc.assert(
      fc.asyncProperty(
        values.filter(value => Object.keys(value).length > 0),
        fc.integer({ min: 0, max: 1_000 }),
        async (hard, seed) => {
          const { found, isSmallest } = await searchBy(situation => isAsHard(situation, hard), {
            seed,
            budget: 5_000,
          })
          if (found === undefined) return
          expect(isSmallest).toBe(true)
          for (const smaller of smallerSituations(found.situation))
            expect(isAsHard(smaller, hard), JSON.stringify(smaller)).toBe(false)
        },
      ),
      { seed: 4, numRuns: 40 },
    )
  })

  test('removes a part that was only needed by another that is now smaller', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const fails = ({ fault, minute }: DrawnSituation) =>
        fault !== undefined && (fault.nth <= 2 || minute !== undefined)
      const { found } = await searchBy(fails, { seed })
      expect([seed, Object.keys(found?.situation ?? {})]).toEqual([seed, ['fault']])
    }
  })

  test('does the same again with the seed and the path', async () => {
    const first = await searchBy(failsAt)
    const again = await searchBy(failsAt, { path: first.path })
    expect(again.found?.situation).toEqual(first.found?.situation)
    expect(again.runs).toBeLessThan(first.runs)
    const afresh = await searchBy(failsAt)
    expect(afresh.tried).toEqual(first.tried)
  })

  test('finds the same with clients that run at once', async () => {
    let [running, most] = [0, 0]
    const { found } = await searchBy(
      async situation => {
        running += 1
        most = Math.max(most, running)
        await new Promise(resolve => setImmediate(resolve))
        running -= 1
        return failsAt(situation)
      },
      { jobs: 4 },
    )
    expect(found?.situation).toEqual(minuteAndDate)
    expect(most).toBe(4)
    expect(running).toBe(0)
  })

  test('lists a failure that does not come again, and looks for another', async () => {
    let hasFailed = false
    const { found, flaky } = await searchBy(
      situation => {
        if (failsAt(situation)) return true
        if (hasFailed || situation.fault === undefined) return false
        hasFailed = true
        return true
      },
      { parts: new Set<PartName>(['reset', ...partNames]) },
    )
    expect(flaky).toHaveLength(1)
    expect(flaky[0]).toMatchObject({ runs: 4, failed: 1 })
    expect(found?.situation).toEqual(minuteAndDate)
  })

  test('never writes what fails only now and then as found', async () => {
    const { found, flaky } = await searchBy((_situation, run) => run % 7 === 0, { budget: 100 })
    expect(found).toBeUndefined()
    expect(flaky.length).toBeGreaterThan(0)
  })

  test('finds nothing in a right client', async () => {
    const { found, flaky, runs, tried } = await searchBy(() => false, { budget: 100 })
    expect({ found, flaky, runs }).toEqual({ found: undefined, flaky: [], runs: 97 })
    expect(new Set(tried.map(situation => JSON.stringify(situation))).size).toBe(tried.length)
  })

  test('keeps to its budget, and says if it is used up before the situation is the smallest', async () => {
    const whole = await searchBy(failsAt)
    const first = whole.tried.findIndex(failsAt) + 1
    const { found, isSmallest, runs } = await searchBy(failsAt, { budget: first + 4 })
    expect(found).toMatchObject({ runs: 4, failed: 4 })
    expect(isSmallest).toBe(false)
    expect(runs).toBe(first + 4)
  })

  test('tries each part in turn before it draws at random', async () => {
    for (const seed of [1, 2, 3]) {
      const { tried, untried } = await searchBy(() => false, {
        parts: new Set(usualParts),
        budget: usualParts.length + 3,
        seed,
      })
      expect([untried, tried.length]).toEqual([[], usualParts.length])
    }
  })

  test('names the parts for which no run was left, and those that cannot act alone', async () => {
    const few = await searchBy(() => false, { parts: new Set(['plan', 'minute', 'day']), budget: 5 })
    expect(few.untried).toEqual(['day'])
    const alone = await searchBy(() => false, { parts: new Set(['plan', 'window', 'retry-after']) })
    expect(alone.untried).toEqual(['window', 'retry-after'])
  })

  test('prefers one part alone, even if another one alone breaks the client too', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const fails = ({ plan, day }: DrawnSituation) => plan === 'pro' && day !== undefined
      const alone = ({ plan, day, ...others }: DrawnSituation) =>
        fails({ plan, day }) || (Object.keys(others).length === 0 && (plan === 'pro' || day !== undefined))
      const { found } = await searchBy(alone, { seed, parts: new Set(['day', 'plan', 'minute']) })
      expect([1, found?.failed]).toEqual([Object.keys(found?.situation ?? {}).length, found?.runs])
    }
    const { found } = await searchBy(({ plan, day = 41 }) => plan !== undefined || day < 41, {
      parts: new Set(['plan', 'day']),
    })
    expect(Object.keys(found?.situation ?? {})).toEqual(['plan'])
  })

  test('tries once more without each part, since a run may have passed by chance', async () => {
    const passed = new Set<string>()
    const { found } = await searchBy(
      situation => {
        const { plan, minute } = situation
        if (plan !== 'pro') return false
        if (minute !== undefined) return true
        // The first run without the other part passes by chance.
        const name = JSON.stringify(situation)
        if (passed.has(name)) return true
        passed.add(name)
        return false
      },
      { parts: new Set(['minute', 'plan']) },
    )
    expect(found?.situation).toEqual({ plan: 'pro' })
  })

  test('draws only the parts that are asked for', async () => {
    const { tried } = await searchBy(() => false, { parts: new Set(['minute', 'reset']), budget: 100 })
    const names = new Set(tried.flatMap(situation => Object.keys(situation)))
    expect(names).toEqual(new Set(['minute', 'fault']))
    expect(tried.every(({ fault }) => fault === undefined || fault.then.fault === 'reset')).toBe(true)
  })

  test('draws hostile forms of Retry-After only where they are asked for', async () => {
    const formsOf = async (parts: readonly PartName[]) => {
      const { tried } = await searchBy(() => false, { parts: new Set(parts) })
      return tried.flatMap(({ retryAfter = 'seconds' }) => retryAfter)
    }
    const usual = await formsOf(usualParts)
    expect(usual).toContain('rfc850-date')
    expect(usual.filter(form => !legalForms.some(legal => legal === form))).toEqual([])
    expect(new Set(await formsOf(['minute', 'hostile']))).toEqual(new Set(['seconds', ...hostileForms]))
  })

  test('reports a defect as one', async () => {
    const defect = searchBy(() => Promise.reject(new Error('a defect')))
    await expect(defect).rejects.toThrow('a defect')
  })
})

/** Whether a situation is at least as hard as another in each of its parts. */
function isAsHard(situation: DrawnSituation, hard: DrawnSituation): boolean {
  return (Object.keys(hard) as (keyof DrawnSituation)[]).every(name => {
    const [one, other] = [situation[name], hard[name]]
    if (name === 'fault') return isFaultAsHard(situation.fault, hard.fault)
    if (typeof one !== 'number' || typeof other !== 'number') return one === other
    return name === 'ban' ? one >= other : name === 'clock' ? one === other : one <= other
  })
}

function isFaultAsHard(one: DrawnSituation['fault'], other: DrawnSituation['fault']): boolean {
  if (one === undefined || other === undefined) return false
  return (
    one.nth >= other.nth &&
    one.times >= other.times &&
    Object.keys(one.then)[0] === Object.keys(other.then)[0]
  )
}

/** More than any situation needs. */
const lists = Array.from({ length: 120 }, () => ({
  method: 'GET',
  target: '/v1/pets',
  body: undefined,
  type: undefined,
  hasKey: true,
}))

describe('a drawn situation', () => {
  test('delays a response by half a second to five', () => {
    const situations = fc.sample(drawSituation(calls, new Set(['delay'])), { seed: 9, numRuns: 400 })
    const delays = new Set(situations.flatMap(({ fault }) => fault?.then.delay ?? []))
    const halves = Array.from({ length: 10 }, (_, index) => `${(index + 1) * 500}ms`)
    expect([...delays].toSorted()).toEqual(halves.toSorted())
  })

  const drawn = fc.sample(drawSituation(calls, new Set(partNames)), { seed: 9, numRuns: 400 })

  test('is a scenario whose walkthrough passes', async () => {
    for (const situation of drawn) {
      const file = scenarioOf(situation)
      const steps = await showSituation(situation, file, lists)
      const scenario = settle('breaks', file, shippedFixtures)
      const played: PlayedStep[] = []
      for await (const step of play(steps, scenario.key, createInProcessTarget(scenario, shippedFixtures)))
        played.push(step)
      expect(hasPassed(steps, played), JSON.stringify(situation)).toBe(true)
    }
  })

  test('has every part now and then', () => {
    const names = new Set(drawn.flatMap(situation => Object.keys(situation)))
    expect([...names].toSorted()).toEqual(
      ['plan', 'minute', 'day', 'ban', 'banAfter', 'retryAfter', 'window', 'clock', 'fault'].toSorted(),
    )
    const faults = new Set(
      drawn.flatMap(({ fault }) => (fault ? [fault.then.fault ?? Object.keys(fault.then)[0]] : [])),
    )
    expect(faults).toEqual(new Set(['status', 'reset', 'empty', 'truncate', 'malformed', 'delay']))
  })
})
