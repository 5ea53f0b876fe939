import fc from 'fast-check'
import type { RetryAfterForm } from '../../service/limits/retry-after.ts'
import { drawSituation, drawTurns } from './draw.ts'
import { type Attempt, createRuns, type Runs } from './runs.ts'
import {
  type DrawnFault,
  type DrawnSituation,
  effective,
  mostLeft,
  nameOf,
  type PartName,
  partsIn,
} from './situation.ts'

export interface SearchOptions {
  /** The calls of the client in the usual service, 1 or more. */
  readonly calls: number
  readonly parts: ReadonlySet<PartName>
  readonly seed: number
  /** Where a search with this seed found something: fast-check's path. */
  readonly path: string | undefined
  /** How often a failure must be repeated. */
  readonly confirm: number
  /** How many clients may run at once. */
  readonly jobs: number
  /** Whether a run is left, after as many. */
  readonly mayRun: (made: number) => boolean
  readonly onPhase: (phase: Phase) => void
}

export type Phase = 'drawing' | 'shrinking' | 'repeating'

/** A situation in which the client fails. */
export type Broken = Readonly<Awaited<ReturnType<typeof repeat>>>

export type SearchResult = Awaited<ReturnType<typeof search>>

/** How many situations to draw at most: many are equal, or are the usual service. */
const mostDraws = 8_192

/** Searches for a situation in which the client fails, and makes it as small as possible. */
export async function search(attempt: Attempt, options: SearchOptions) {
  const { confirm, jobs, mayRun, onPhase } = options
  // What is found must be repeated.
  const tried = new Set<PartName>()
  const noted: Attempt = situation => {
    for (const part of partsIn(situation)) tried.add(part)
    return attempt(situation)
  }
  const runs = createRuns(noted, made => mayRun(made + confirm), jobs)
  /** Failures that did not come again. */
  const flaky: Broken[] = []
  /** `path`: with the seed, the way to what was found. `isSmallest`: whether every smaller situation was tried. */
  const end = async (found: Broken | undefined, path: string | undefined, isSmallest: boolean) => {
    await runs.ended()
    /** The parts that were asked for, and in no situation that was tried. */
    const untried = [...options.parts].filter(part => !tried.has(part))
    return { found, flaky, runs: runs.count(), path, untried, isSmallest }
  }
  do {
    onPhase('drawing')
    const drawn = await drawFailure(runs, options)
    if (drawn === undefined) break
    const { situation, isSmallest } = await shrinkWholly(drawn.situation, runs)
    onPhase('repeating')
    const broken = await repeat(situation, runs, confirm)
    if (broken.failed === broken.runs) return await end(broken, drawn.path, isSmallest)
    flaky.push(broken)
    runs.forgive(situation)
  } while (!runs.ranOut())
  return await end(undefined, undefined, true)
}

/** The first drawn situation in which the client fails, as small as fast-check makes it. */
async function drawFailure(
  runs: Runs,
  { calls, parts, seed, path, onPhase }: SearchOptions,
): Promise<{ readonly situation: DrawnSituation; readonly path: string | undefined } | undefined> {
  const values = drawSituation(calls, parts)
  // Parts take turns first: chance alone could leave one out.
  const turns = drawTurns(calls, parts, seed)
  if (path === undefined) runs.ahead(drawnValues(values, turns, seed))
  const property = fc.asyncProperty(values, async situation => {
    if ((await runs.of(situation)) === undefined) return
    onPhase('shrinking')
    throw new ClientFailed()
  })
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
    seed,
    numRuns: mostDraws,
    examples: turns.map(turn => [turn]),
    ...(path !== undefined && { path }),
  })
  const [situation] = counterexample ?? []
  // A defect of pet-mock is no failure of the client.
  if (failed && !(errorInstance instanceof ClientFailed)) throw errorInstance
  if (!failed || situation === undefined) return undefined
  return { situation, path: counterexamplePath ?? undefined }
}

/** The values that a property with this seed will see, in its order. More are drawn when they are needed. */
function* drawnValues<T>(values: fc.Arbitrary<T>, first: readonly T[], seed: number): Generator<T> {
  yield* first
  for (let [from, to] = [0, 64]; to <= mostDraws; [from, to] = [to, 2 * to])
    yield* fc.sample(values, { seed, numRuns: to }).slice(from)
}

class ClientFailed extends Error {}

/** Tries everything that is smaller in one part, until the client comes through all of it. */
async function shrinkWholly(
  situation: DrawnSituation,
  runs: Runs,
): Promise<{ readonly situation: DrawnSituation; readonly isSmallest: boolean }> {
  for (const smaller of smallerSituations(situation))
    if ((await runs.of(smaller)) !== undefined) return shrinkWholly(smaller, runs)
  // A single run may have passed by chance.
  for (const without of withoutOnePart(situation))
    if ((await runs.retry(without)) !== undefined) return shrinkWholly(without, runs)
  return { situation, isSmallest: !runs.ranOut() }
}

async function repeat(situation: DrawnSituation, runs: Runs, times: number) {
  /** Such as `exit code 1`, as the first run had it. */
  const failure = (await runs.of(situation)) ?? ''
  let failed = 1
  for (let at = 0; at < times; at += 1) if ((await runs.again(situation)) !== undefined) failed += 1
  return { situation, failure, runs: times + 1, failed }
}

/** Every situation that is smaller in one part: without it, or one step closer to the usual service. The smallest first. */
export function smallerSituations(situation: DrawnSituation): readonly DrawnSituation[] {
  const { minute, day, ban, banAfter, retryAfter, window, fault } = situation
  const steps: readonly DrawnSituation[] = [
    ...moreLeft(minute).map(more => ({ minute: more })),
    ...moreLeft(day).map(more => ({ day: more })),
    ...(olderForms.some(form => form === retryAfter) ? [{ retryAfter: 'http-date' as const }] : []),
    ...(ban === undefined || ban <= 60 ? [] : [{ ban: 60 }]),
    ...(banAfter === undefined || banAfter >= 9 ? [] : [{ banAfter: banAfter + 1 }]),
    ...(window === undefined || window >= 59 ? [] : [{ window: window + 1 }]),
    ...(fault === undefined ? [] : smallerFaults(fault).map(smaller => ({ fault: smaller }))),
  ]
  const own = nameOf(situation)
  const milder = steps.map(step => effective({ ...situation, ...step })).filter(step => nameOf(step) !== own)
  return [...onePartAlone(situation), ...withoutOnePart(situation), ...milder]
}

/** The most at once, half of the way, and one more: a run for each number would use up the budget. */
function moreLeft(left: number | undefined): readonly number[] {
  if (left === undefined || left >= mostLeft) return []
  return [...new Set([mostLeft, Math.ceil((left + mostLeft) / 2), left + 1])]
}

/** In the order of parts: `plan` alone explains more than a day with few calls left. */
function onePartAlone(situation: DrawnSituation): readonly DrawnSituation[] {
  const names = namesOf(situation)
  if (names.length < 2) return []
  const alone = names.map(name => effective({ [name]: situation[name] }))
  return alone.filter(one => namesOf(one).length > 0)
}

/** Every situation without one of its parts, except the usual service. */
function withoutOnePart(situation: DrawnSituation): readonly DrawnSituation[] {
  const own = nameOf(situation)
  const without = namesOf(situation).map(name => effective({ ...situation, [name]: undefined }))
  return without.filter(one => namesOf(one).length > 0 && nameOf(one) !== own)
}

function namesOf(situation: DrawnSituation): readonly (keyof DrawnSituation)[] {
  return Object.keys(situation) as readonly (keyof DrawnSituation)[]
}

const olderForms: readonly RetryAfterForm[] = ['rfc850-date', 'asctime-date']

function smallerFaults(fault: DrawnFault): readonly DrawnFault[] {
  const { nth, times, then } = fault
  const { headers, ...bare } = then
  return [
    ...(times > 1 ? [{ ...fault, times: times - 1 }] : []),
    ...(headers === undefined ? [] : [{ ...fault, then: bare }]),
    ...(nth > 1 ? [{ ...fault, nth: nth - 1 }] : []),
  ]
}
