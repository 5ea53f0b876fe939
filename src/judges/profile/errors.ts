import { errorCodes } from '../../emulator/worlds/constraints.ts'
import type { Line } from '../../emulator/worlds/scenario.ts'
import { absent } from '../../service/call/answer.ts'
import { problems } from '../../service/call/problems.ts'
import { malformedKey } from '../exchanges/seen-trace.ts'
import { endOf, isAlike, type Run } from './bans.ts'
import { isAccepted, type RateOf } from './rates.ts'
import type { SeenCall } from './seen-call.ts'
import { type Lines, lineOf } from './sightings.ts'

/** What must differ between calls before a wording counts as learned, because many services name the cause. */
const causes: Readonly<Record<string, readonly ((call: SeenCall) => unknown)[]>> = {
  invalid_parameter: [({ wrong }) => wrong?.what],
  invalid_body: [({ wrong }) => wrong?.what, ({ wrong }) => wrong?.asked === absent],
  unsupported_media_type: [({ wrong }) => wrong?.asked === absent],
  invalid_json: [({ wrong }) => wrong?.asked],
  invalid_api_key: [({ key }) => key === malformedKey],
}

/** Codes and wordings of errors, by the situation of the call (A09). */
export function learnErrors(
  calls: readonly SeenCall[],
  runs: readonly Run[],
  rateOf: RateOf,
  isOpen: (text: string) => boolean,
): Lines {
  const accepted = new Set(calls.filter(({ status }) => status !== 401).map(({ key }) => key))
  const removals = removalsOf(calls)
  const cases = new Map<string, SeenCall[]>()
  const add = (call: SeenCall, name: string | undefined) => {
    if (name !== undefined && errorCodes.accepts(call.json?.code))
      cases.set(name, [...(cases.get(name) ?? []).slice(-mostCases), call])
  }
  for (const call of calls) add(call, situationOf(call, accepted, removals.get(call)))
  const opened = new Set(calls.filter(isAccepted).map(({ key, date = 0 }) => `${key} ${date + 60_000}`))
  for (const { limited, banned, before } of runs) {
    const [first] = limited
    const end = first && endOf(first, rateOf)
    const isSoon = end !== undefined && end % 60_000 === 0 && end - (first?.date ?? 0) <= 60_000
    // A first refusal may already be a ban.
    const isOfWindow =
      isSoon || opened.has(`${first?.key} ${end}`) || (before && end && rateOf(before).resetsAt === end)
    const isKnown =
      (banned[0] && first && !isAlike(first, banned[0])) ||
      isOfWindow ||
      limited.some(({ json }) => json?.code === 'rate_limit_exceeded')
    for (const call of isKnown ? limited : []) add(call, 'rate_limit_exceeded')
    for (const call of banned) add(call, 'api_key_banned')
  }
  const lineFor = (name: string, own: readonly SeenCall[]) => {
    const line = errorLine(name, own, rateOf)
    const { code, message } = Object(line?.value)
    return line && message !== undefined && !isOpen(message) ? { ...line, value: { code } } : line
  }
  return Object.fromEntries(Array.from(cases, ([name, own]) => [`errors.${name}`, lineFor(name, own)]))
}

const mostCases = 200

function errorLine(name: string, calls: readonly SeenCall[], rateOf: RateOf): Line | undefined {
  const line = lineOf(calls.map(call => ({ call, value: { code: call.json?.code } })))
  const isVaried = (causes[name] ?? []).every(kind => new Set(calls.map(kind)).size > 1)
  if (line?.state !== 'observed' || !isVaried) return line
  const { code } = line.value as { code: string }
  const wordings = calls
    .filter(({ json }) => json?.code === code)
    .map(call => {
      const { json, path, wrong, name: petName, method, date } = call
      const end = endOf(call, rateOf)
      const wait =
        end === undefined || date === undefined ? undefined : `${Math.max(1, (end - date) / 1_000)}`
      const slots = {
        path,
        id: path.split('/').at(-1),
        field: wrong?.what,
        name: petName,
        value: wrong?.asked,
        wait,
        limit: rateOf(call).limit?.toString(),
        method,
      }
      return { text: typeof json?.message === 'string' ? json.message : '', slots, end }
    })
  const found = findTemplate(wordings, name === 'rate_limit_exceeded' || name === 'api_key_banned')
  if (found === undefined) return line
  const { message, isInferred } = found
  return { ...line, value: { code, message }, state: isInferred ? 'inferred' : 'observed' }
}

/** The error that a call must have led to, whatever its code; undefined: it may be one of several. */
function situationOf(call: SeenCall, accepted: ReadonlySet<unknown>, isRemoved: boolean | undefined) {
  const { status, key, isRouted, path, wrong } = call
  if (status === 401)
    return key === null ? 'missing_api_key' : accepted.has(key) ? undefined : 'invalid_api_key'
  // The specification names these areas, and does not describe them.
  if (status === 404 && !isRouted)
    return /^\/v1\/(?:store|categories)\b/.test(path) ? undefined : 'route_not_found'
  if (status === 405) return 'method_not_allowed'
  if (isRemoved !== undefined) return isRemoved ? 'endpoint_removed' : 'pet_not_found'
  return wrong?.code === wrong?.lastCode && Object(problems)[wrong?.code ?? ''] === status
    ? wrong?.code
    : undefined
}

/**
 * Of a 404 or 410 of getPet, whether the operation is removed. A pet that a list has shown is there. Other pets follow the
 * calls before and after, if those agree.
 */
export function removalsOf(calls: readonly SeenCall[]): ReadonlyMap<SeenCall, boolean> {
  const listed = new Set<string>()
  const known = new Map<SeenCall, boolean>()
  let open: SeenCall[] = []
  let last: boolean | undefined
  for (const call of calls) {
    const { operation, status, list, path, method } = call
    for (const id of list?.ids ?? []) listed.add(`/v1/pets/${id}`)
    if (operation !== 'getPet' || method !== 'GET') continue
    const isGone = status === 410 || (status === 404 && listed.has(path))
    if (status === 404 && !isGone) open.push(call)
    if (!isAccepted(call) && !isGone) continue
    if (isGone) known.set(call, true)
    if (last === undefined || last === isGone) for (const one of open) known.set(one, isGone)
    open = []
    last = isGone
  }
  if (last !== undefined) for (const one of open) known.set(one, last)
  return known
}

/** A message, what its slots may stand for, and when a refusal ends. */
interface Wording {
  readonly text: string
  readonly slots: Readonly<Record<string, string | undefined>>
  readonly end: number | undefined
}

const longest = 500
const mostBases = 5

/**
 * The template of all wordings; undefined if there is none, or another one may be right. What differs between wordings must be
 * the value of a slot. `isRefusal`: by the limit or a ban.
 */
function findTemplate(wordings: readonly Wording[], isRefusal: boolean) {
  const [first] = wordings
  if (first === undefined || wordings.some(({ text }) => text === '' || text.length > longest))
    return undefined
  const names = Object.keys(first.slots)
  const isVaried = (name: string) => new Set(wordings.map(({ slots }) => slots[name])).size > 1
  const varied = names.filter(
    name => isVaried(name) && wordings.every(({ slots }) => slots[name] !== undefined),
  )
  // A wait is drawn by the clock, and a limit is the plan's.
  const open = names.filter(name => varied.includes(name) || (isRefusal && /^(?:wait|limit)$/.test(name)))
  for (const { text, slots } of wordings.slice(0, mostBases)) {
    const able = open.filter(name => pattern(slots[name])?.test(text))
    // All slots first, none last.
    for (let choice = 2 ** able.length - 1; choice >= 0; choice -= 1) {
      const taken = able.filter((_, at) => (choice >> at) % 2 === 1)
      const message = taken.reduce(
        (shown, name) => shown.replace(pattern(slots[name]) ?? name, () => `{${name}}`),
        text,
      )
      const isRight = (one: Wording) =>
        message.replace(/\{(\w+)\}/g, (slot, name) => one.slots[name] ?? slot) === one.text
      if (!wordings.every(isRight)) continue
      const rest = message.replace(/\{\w+\}/g, ' ')
      if (names.some(name => !taken.includes(name) && pattern(slots[name])?.test(rest))) return undefined
      const isInferred = varied.length === 0 || taken.some(name => !varied.includes(name))
      const isOpen = isRefusal ? !isSettled(rest, wordings) : isInferred && /\d/.test(rest)
      return isOpen ? undefined : { message, isInferred }
    }
  }
  return undefined
}

/** Instants of one ban or window never differ, and a wording that names a window or a plan has other ones. */
function isSettled(rest: string, wordings: readonly Wording[]): boolean {
  const hasEnds = new Set(wordings.map(({ end }) => end)).size > 1
  const hasLimits = new Set(wordings.map(({ slots }) => slots.limit)).size > 1
  const isOfWindow = /\b(?:minute|hour|day|daily|plan|free|pro|business|enterprise)\b/i.test(rest)
  const hasNumbers = /\d/.test(rest)
  const hasAll = hasEnds && wordings.every(({ slots }) => slots.limit)
  return (!hasNumbers || hasAll) && (hasLimits || !isOfWindow)
}

/** A value as a word of its own. */
function pattern(value: string | undefined): RegExp | undefined {
  if (value === undefined || value === '') return undefined
  const literal = value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
}
