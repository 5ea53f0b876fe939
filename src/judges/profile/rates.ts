import { readHttpDate } from '../../base/time/http-date.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { type ResetForm, usualNames } from '../../service/limits/limit-headers.ts'
import { callsByKey, type SeenCall } from './seen-call.ts'
import { type Lines, lineOf, type Sighting } from './sightings.ts'

/** What the limit headers of a response say. */
export interface Rate {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  /** Milliseconds. */
  readonly resetsAt: number | undefined
}

type Role = keyof typeof usualNames

/** Two calls of a key, the second one sent after the response to the first. */
export interface Pair {
  readonly one: SeenCall
  readonly next: SeenCall
}

export function pairsOf(calls: readonly SeenCall[]): readonly Pair[] {
  return calls.flatMap((next, at) => {
    const one = calls[at - 1]
    return one !== undefined && one.answeredAt <= next.sentAt ? [{ one, next }] : []
  })
}

export const isAccepted = ({ status }: SeenCall) => status < 300

/** Calls that show the names of limit headers. */
const fewest = 3
const day = 86_400_000
const standard =
  /^(?:content-.*|date|age|link|location|retry-after|expires|last-modified|etag|sunset|deprecation|vary|connection|keep-alive|ratelimit|ratelimit-policy)$/

/** Finds the limit headers by what their values do from call to call, and reads them (A06, A08). */
export function readRates(calls: readonly SeenCall[]) {
  const accepted = callsByKey(calls).map(own => own.filter(isAccepted))
  const all = accepted.flat()
  const pairs = callsByKey(calls)
    .flatMap(pairsOf)
    .filter(({ one, next }) => isAccepted(one) && isAccepted(next))
  const present = [...new Set(all.flatMap(({ headers }) => Object.keys(headers)))].filter(
    name => !standard.test(name) && all.every(({ headers }) => name in headers),
  )
  const taken: string[] = []
  const hasDraft = all.some(({ headers }) => 'ratelimit' in headers)
  const find = (role: Role, mayBe: (name: string) => boolean, proves: (name: string) => boolean) => {
    const able = present.filter(name => !taken.includes(name) && mayBe(name))
    const usual = usualNames[role].toLowerCase()
    const proven = able.includes(usual) ? [usual] : able.filter(proves)
    const [found] = proven.length === 1 ? proven : []
    if (found !== undefined) taken.push(found)
    return { found, isOff: able.length === 0 && all.length >= fewest }
  }
  const number = ({ headers }: SeenCall, name: string) => wholeNumber(headers[name])
  const drops = (name: string) =>
    pairs.filter(({ one, next }) => (number(one, name) ?? 0) - (number(next, name) ?? 0) === 1)
  const isWhole = (name: string) => all.every(call => number(call, name) !== undefined)
  // Both kinds of headers say the same.
  const isAsDraft = (name: string, role: 'limit' | 'remaining') =>
    all.every(call => {
      const value = readDraft(call)?.[role]
      return value === undefined || value === number(call, name)
    })
  const formsOf = (name: string) =>
    resetForms.filter(form => all.every(call => isSoon(readReset(call, name, form), call)))
  const isDate = (name: string) => formsOf(name).some(form => form !== 'seconds')
  const later = pairs.filter(({ one, next }) => (next.date ?? 0) > (one.date ?? 0) + 1_000)
  const isConstant = (name: string, among: readonly Pair[]) =>
    among.length > 1 && among.every(({ one, next }) => one.headers[name] === next.headers[name])
  const remaining = find(
    'remaining',
    name =>
      isWhole(name) &&
      isAsDraft(name, 'remaining') &&
      !/reset|limit$/.test(name) &&
      !isDate(name) &&
      !isConstant(name, pairs) &&
      !later.some(pair => isCountdown(pair, name)),
    // One call a second would let the seconds to a reset drop by one, too.
    name => drops(name).filter(({ one, next }) => next.date !== (one.date ?? 0) + 1_000).length > 1,
  )
  const reset = find(
    'reset',
    name => isDate(name) || (formsOf(name).length > 0 && !isConstant(name, later)),
    name =>
      formsOf(name).length === 1 &&
      (isDate(name) || /reset/.test(name) || later.some(pair => isCountdown(pair, name))),
  )
  const [form, ...otherForms] = reset.found === undefined ? [] : formsOf(reset.found)
  const left = (call: SeenCall) => (remaining.found === undefined ? 0 : (number(call, remaining.found) ?? 0))
  const limit = find(
    'limit',
    name =>
      isWhole(name) &&
      isAsDraft(name, 'limit') &&
      all.every(call => (number(call, name) ?? 0) > left(call)) &&
      !/reset|remaining/.test(name),
    name =>
      /limit|quota|max/.test(name) ||
      (remaining.found !== undefined && all.some(call => number(call, name) === left(call) + 1)),
  )
  const found = { limit, remaining, reset }
  const hasNames = taken.length > 0
  const isBare = limit.isOff && remaining.isOff && reset.isOff
  const names = Object.entries(found).map(([role, { found, isOff }]): [string, Sighting[]] => [
    `limits.names.${role}`,
    (hasDraft && !hasNames) || !(found ?? isOff)
      ? []
      : all.map(call => ({ call, value: found === undefined ? 'off' : spelled(call, found) })),
  ])
  const lines: Lines = {
    ...Object.fromEntries(names.map(([path, sightings]) => [path, lineOf(sightings)])),
    'limits.dialect':
      all.length < fewest || !(hasNames || isBare)
        ? undefined
        : lineOf(
            all.map(call => ({
              call,
              value: 'ratelimit' in call.headers ? (isBare ? 'ietf' : 'both') : 'x-ratelimit',
            })),
          ),
    'limits.reset':
      form === undefined || otherForms.length > 0
        ? undefined
        : lineOf(all.map(call => ({ call, value: form }))),
  }
  const rateOf = (call: SeenCall): Rate => {
    const draft = readDraft(call)
    const own = (role: 'limit' | 'remaining') => {
      const name = found[role].found
      return name === undefined ? undefined : number(call, name)
    }
    const resetsAt =
      reset.found !== undefined && form !== undefined ? readReset(call, reset.found, form) : undefined
    return {
      limit: own('limit') ?? draft?.limit,
      remaining: own('remaining') ?? draft?.remaining,
      resetsAt: resetsAt ?? draft?.resetsAt,
    }
  }
  // Where a limit header was not found for sure, each number may be one.
  const isSure = Object.values(found).every(({ found: name, isOff }) => name !== undefined || isOff)
  const isLimitHeader = ({ headers }: SeenCall, name: string) =>
    taken.includes(name.toLowerCase()) || (!isSure && /^\d+$|:\d\d/.test(headers[name.toLowerCase()] ?? ''))
  return { lines, rateOf, isLimitHeader }
}

function spelled({ names }: SeenCall, found: string): string {
  const usual = Object.values(usualNames).find(name => name.toLowerCase() === found)
  return usual ?? names.find(name => name.toLowerCase() === found) ?? found
}

const resetForms: readonly ResetForm[] = ['epoch', 'epoch-ms', 'seconds', 'http-date', 'iso-date']

function readReset({ headers, date }: SeenCall, name: string, form: ResetForm): number | undefined {
  const text = headers[name] ?? ''
  if (form === 'http-date') return readHttpDate(text, date ?? 0)?.ms
  if (form === 'iso-date') return parseInstant(text)
  const value = wholeNumber(text)
  if (value === undefined || form === 'epoch-ms') return value
  if (form === 'epoch') return value * 1_000
  return date === undefined ? undefined : date + value * 1_000
}

function isSoon(instant: number | undefined, { date }: SeenCall): boolean {
  return instant !== undefined && date !== undefined && instant >= date && instant <= date + day + 1_000
}

/** Whether seconds went down by the time that passed. */
function isCountdown({ one, next }: Pair, name: string): boolean {
  const until = (call: SeenCall) => readReset(call, name, 'seconds')
  return one.date !== next.date && until(one) !== undefined && until(one) === until(next)
}

/** `RateLimit` and `RateLimit-Policy` of an IETF draft. */
function readDraft({ headers, date }: SeenCall): Rate | undefined {
  const [, name, rest = ''] = /^"([^"]*)";(.*)$/.exec(headers.ratelimit ?? '') ?? []
  if (name === undefined) return undefined
  const read = (text: string, parameter: string) =>
    wholeNumber(new RegExp(`(?:^|;)\\s*${parameter}=(\\d+)`).exec(text)?.[1])
  const wait = read(rest, 't')
  const policy = (headers['ratelimit-policy'] ?? '')
    .split(',')
    .find(text => text.trim().startsWith(`"${name}";`))
  return {
    limit: read(policy ?? '', 'q'),
    remaining: read(rest, 'r'),
    resetsAt: wait === undefined || date === undefined ? undefined : date + wait * 1_000,
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
