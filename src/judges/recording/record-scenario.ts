import { Document } from 'yaml'
import { formatInstant } from '../../base/time/instant.ts'
import type { Fixtures } from '../../control/fixtures/fixtures.ts'
import type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { writeSteps } from '../../control/scenario/show.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { windowLengths } from '../../service/limits/limiter.ts'
import { listParameters, type OperationId, roleOf } from '../../service/operations/operations.ts'
import { createLeftOut, type LeftOutList, leftOutLines } from '../exchanges/left-out.ts'
import { createInProcessTarget, defaultInstant } from '../walkthrough/in-process.ts'
import { type PlayedStep, play } from '../walkthrough/play.ts'
import { createCleaner } from './cleaner.ts'
import { bansOf, startOf } from './key-start.ts'
import { keepPetBook, parameterOf } from './pet-book.ts'
import { type PetWorld, seenWorld, usualWorld } from './pet-world.ts'
import { type StepsOptions, stepsOf } from './steps.ts'
import { isBanned, isLimited, readRate, readRetryAfter, type Take, takesOf } from './take.ts'

export interface RecordOptions {
  /** The name of the scenario, and where the calls come from. */
  readonly name: string
  readonly description: string
  readonly fixtures: Fixtures
  readonly secrets: Secrets
  /** Whether the recording has no keys, although calls had them. */
  readonly hidesKeys?: boolean | undefined
  readonly leftOut?: LeftOutList
}

/**
 * Turns traffic into a scenario whose walkthrough repeats it. Of several ways to say the same, it takes the one that differs
 * least from what was seen.
 */
export async function recordScenario(exchanges: readonly Exchange[], options: RecordOptions) {
  const { leftOut = createLeftOut(), secrets, hidesKeys = false } = options
  const takes = takesOf(exchanges, createCleaner(exchanges, secrets, hidesKeys), leftOut)
  const book = keepPetBook(takes)
  const worlds = [usualWorld(book), seenWorld(book)].filter(world => world !== undefined)
  const ends = takes.flatMap(take => (take.key === null ? [] : (readRate(take)?.resetsAt ?? [])))
  const mayBeCalendar = ends.length > 0 && ends.every(end => end % windowLengths.minute === 0)
  const calendars = mayBeCalendar ? [false, true] : [false]
  const drafts = worlds.flatMap(world => calendars.map(calendar => ({ world, calendar })))
  let best: { readonly file: ScenarioFile; readonly world: PetWorld; readonly differing: number } | undefined
  for (const { world, calendar } of drafts) {
    const file = fileOf({ takes, book, world }, calendar, options)
    const differing = drafts.length === 1 ? 0 : await countDiffering(file, options)
    if (best === undefined || differing < best.differing) best = { file, world, differing }
    if (differing === 0) break
  }
  if (best === undefined) throw new RangeError('a recording has a draft')
  const unknown = 'the answer of an operation that the API does not have'
  for (const { operation, method, target, status } of takes)
    if (operation === undefined && ![401, 404, 405, 429].includes(status))
      leftOut.add(unknown, `${method} ${target.split('?')[0]}`)
  return {
    file: best.file,
    leftOut: leftOut.list(),
    notes: notesOf(takes, best.world, hidesKeys),
    calls: takes.length,
  }
}

/** `calendar`: windows begin by the calendar. */
function fileOf(
  { takes, book, world }: Pick<StepsOptions, 'takes' | 'book' | 'world'>,
  calendar: boolean,
  { name, description }: RecordOptions,
): ScenarioFile {
  const byKey = new Map<string, Take[]>()
  for (const { key, status } of takes) if (key !== null && status !== 401) byKey.set(key, [])
  for (const take of takes) byKey.get(take.key ?? '')?.push(take)
  const starts = new Map(Array.from(byKey, ([key, own]) => [key, startOf(own, calendar)]))
  const openings = Array.from(starts, ([key, { openedAt }]) => ({ key, at: openedAt }))
    .flatMap(({ key, at }) => (at === undefined ? [] : [{ key, at }]))
    .toSorted((one, other) => one.at - other.at)
  const keys = Object.fromEntries(Array.from(starts, ([own, { fields }]) => [own, fields]))
  const key = [...byKey.keys()][0]
  const rules = rulesOf(takes, new Map(openings.map(opening => [opening.key, 1])))
  const limits = {
    ...(calendar && { window: 'calendar' as const }),
    ...(takes.some(({ answer }) => /^[A-Z][a-z]{2}, /.test(answer['retry-after'] ?? '')) && {
      retryAfter: 'http-date' as const,
    }),
  }
  const first = openings[0]?.at ?? takes[0]?.at ?? defaultInstant
  // Times are relative, but windows by the calendar need the time of day.
  const start = calendar
    ? defaultInstant - (defaultInstant % windowLengths.day) + (first % windowLengths.day)
    : defaultInstant
  return {
    title: `Recorded from ${name}`,
    description,
    ...(key !== undefined && { key }),
    ...(calendar && { clock: { at: formatInstant(start) } }),
    ...(starts.size > 0 && { keys }),
    ...(world.pets && { pets: world.pets }),
    ...(rules.length > 0 && { rules }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...bansOf(byKey),
    ...removalOf(takes, at => start + at - first),
    ...(takes.some(take => isList(take) && Number(parameterOf(take, 'limit') ?? 0) > 100) && {
      pageSize: 'clamp' as const,
    }),
    walkthrough: stepsOf({ takes, book, world, key, openings }),
  }
}

/** getPet was removed before a call of the recording. */
function removalOf(takes: readonly Take[], startOf: (at: number) => number) {
  const removed = takes.find(({ code }) => code === 'endpoint_removed')
  if (removed === undefined) return {}
  const removedAt = formatInstant(startOf(removed.at))
  return { deprecation: { removedAt, ...(removed.status === 410 && { after: 410 as const }) } }
}

async function countDiffering(file: ScenarioFile, { name, fixtures }: RecordOptions): Promise<number> {
  const scenario = settle(name, file, fixtures)
  const target = createInProcessTarget(scenario, fixtures)
  const steps = file.walkthrough ?? []
  const played: PlayedStep[] = []
  for await (const step of play(steps, scenario.key, target)) played.push(step)
  const differing = played.filter(
    ({ differences, impossible }) => differences.length > 0 || impossible !== undefined,
  ).length
  return differing + (steps.length - played.length)
}

const isList = ({ operation, status }: Take) => roleOf(operation) === 'list' && status === 200

function notesOf(takes: readonly Take[], world: PetWorld, hidesKeys: boolean): readonly string[] {
  const lists = takes.filter(isList)
  const names = lists.flatMap(({ target }) => readQuery(readTarget(target).query).map(({ name }) => name))
  const unknown = [...new Set(names)].filter(name => !listParameters().includes(name)).slice(0, 5)
  return [
    unknown.length > 0 &&
      `The emulator ignores ${unknown.join(' and ')}: its pages have a cursor (A15). So it answers these calls with the first page.`,
    hidesKeys &&
      'Some calls have no Authorization header, as in the archives of browsers. They use the key key-1.',
    world.isRenumbered && 'The ids of the pets are new, because theirs are no row of numbers.',
  ].filter(note => note !== false)
}

/** A recording as a file. Comments at the top say what it leaves out. */
export function recordingText({ file, leftOut, notes }: Awaited<ReturnType<typeof recordScenario>>): string {
  const comments = [...notes, ...(leftOut.length === 0 ? [] : ['Left out:', ...leftOutLines(leftOut)])]
  return comments.map(line => `# ${line}\n`).join('') + writeSteps(new Document(file))
}

/** Errors that the emulator gives by itself, in the situation that causes them. */
const ownErrors: ReadonlySet<number> = new Set([400, 401, 404, 405, 410, 413, 415, 429])

/** Whether the answer is a failure that only a rule can repeat. */
function isFault(take: Take): boolean {
  const { status, operation, key, headers, answer } = take
  if (status < 400 || operation === undefined || key === null || isBanned(take) || headers.Prefer)
    return false
  if (status === 429) return (readRate(take)?.remaining ?? 0) > 0
  return !ownErrors.has(status) || answer['x-pet-mock'] !== undefined
}

/**
 * Rules that repeat failures of the service, each at the same call of its key and operation. `made`: the calls of listPets
 * that the walkthrough adds before, by key.
 */
function rulesOf(takes: readonly Take[], made: ReadonlyMap<string, number>): readonly RuleFields[] {
  const failing: {
    readonly key: string
    readonly operation: OperationId
    readonly after: number
    readonly then: NonNullable<RuleFields['then']>
    times: number
  }[] = []
  const counts = new Map<string, number>()
  for (const take of takes) {
    const { key, operation } = take
    const isRefused = take.status === 401 || isBanned(take) || (isLimited(take) && !isFault(take))
    if (key === null || operation === undefined || isRefused || take.headers.Prefer) continue
    const place = `${key} ${operation}`
    const after = counts.get(place) ?? (roleOf(operation) === 'list' ? (made.get(key) ?? 0) : 0)
    counts.set(place, after + 1)
    if (!isFault(take)) continue
    const wait = readRetryAfter(take)
    const then = {
      status: take.status,
      ...(take.code !== undefined && { code: take.code }),
      ...(wait !== undefined && { headers: { 'Retry-After': wait } }),
    }
    // Failures in a row are one rule.
    const last = failing.findLast(one => one.key === key && one.operation === operation)
    const follows = last !== undefined && last.after + last.times === after
    if (follows && JSON.stringify(last.then) === JSON.stringify(then)) last.times += 1
    else failing.push({ key, operation, after, then, times: 1 })
  }
  return failing.map(({ key, operation, after, then, times }, index) => ({
    name: `recorded-${index + 1}`,
    match: { operation, key },
    when: after === 0 ? { first: times } : { after },
    then,
    times,
  }))
}
