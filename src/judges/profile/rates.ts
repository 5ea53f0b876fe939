import { readHttpDate } from '../../base/time/http-date.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { limits } from '../../control/scenario/settings/behaviour.ts'
import { usualNames } from '../../service/limits/limit-headers.ts'
import { resetForms } from '../../service/limits/retry-after.ts'
import { byName } from '../exchanges/texts.ts'
import { callsByKey, type SeenCall } from './seen-call.ts'
import { type Lines, lineOf, see } from './sightings.ts'

/** What the limit headers of a response say; the reset in milliseconds. */
type SeenRate = { readonly [Name in Role | 'resetsAt']?: number | undefined }
export type RateOf = (call: SeenCall) => SeenRate
type Role = 'limit' | 'remaining'

/** Two calls of a key, the second one sent after the response to the first. */
export type Pair = ReturnType<typeof pairsOf>[number]

export function pairsOf(calls: readonly SeenCall[]) {
  return calls.flatMap((next, at) => {
    const one = calls[at - 1]
    return one !== undefined && one.answeredAt <= next.sentAt ? [{ one, next }] : []
  })
}

export const isAccepted = ({ status }: SeenCall) => status < 300

const fewest = 3
const day = 86_400_000
const standard = /^(?:age|expires|last-modified|etag|ratelimit.*policy|ratelimit)$/
const { accepts } = limits.fields.names.shape.fields.limit.shape
const mayBeNamed = (name: string) => accepts(name) && !standard.test(name)

/** Finds the limit headers by what their values do from call to call, and reads them (A06, A08). */
export function readRates(calls: readonly SeenCall[]) {
  const keys = callsByKey(calls)
  const all = keys.flat().filter(isAccepted)
  const pairs = keys.flatMap(pairsOf).filter(({ one, next }) => isAccepted(one) && isAccepted(next))
  const later = keys
    .flatMap(own => pairsOf(own.filter(isAccepted)))
    .filter(({ one, next }) => one.date !== next.date)
  const names = [...new Set(all.flatMap(({ headers }) => Object.keys(headers)))]
  const present = names.filter(name => mayBeNamed(name) && all.every(({ headers }) => name in headers))
  const drafts = new Map(calls.map(call => [call, readDraft(call)]))
  const isSame = (name: string) => (pair: Pair) => pair.one.headers[name] === pair.next.headers[name]
  const isConstant = (name: string, among: readonly Pair[]) => among.length > 1 && among.every(isSame(name))
  // Headers of both dialects say the same.
  const isWhole = (name: string, role: Role) =>
    all.every(call => {
      const value = wholeNumber(call.headers[name])
      return value !== undefined && (drafts.get(call)?.[role] ?? value) === value
    })
  const formsOf = (name: string) =>
    resetForms.filter(form =>
      all.every(call => {
        const { date = Number.NaN } = call
        const instant = readReset(call, name, form) ?? Number.NaN
        const isSoon = instant >= date && instant <= date + day + 1_000
        return isSoon && (drafts.get(call)?.resetsAt ?? instant) === instant
      }),
    )
  const isDate = (name: string) => formsOf(name).some(form => form !== 'seconds')
  // One call a second lets the seconds to a reset drop like the calls that are left.
  const isCountdown = (name: string) => {
    const falling = later.filter(({ one, next }) => Number(one.headers[name]) > Number(next.headers[name]))
    const keeps = ({ one, next }: Pair) =>
      readReset(one, name, 'seconds') === readReset(next, name, 'seconds')
    return falling.every(keeps) && falling.some(({ one, next }) => next.date !== (one.date ?? 0) + 1_000)
  }
  const drops = (name: string) =>
    pairs.filter(
      ({ one, next }) =>
        Number(one.headers[name]) - Number(next.headers[name]) === 1 && next.date !== (one.date ?? 0) + 1_000,
    ).length

  type Test = (name: string) => boolean
  const find = (role: keyof typeof usualNames, mayBe: Test, proves: Test) => {
    const able = present.filter(mayBe)
    const usual = usualNames[role].toLowerCase()
    const [name, ...others] = able.includes(usual) ? [usual] : able.filter(proves)
    // What is sent, and not understood, is not off.
    const isSent = able.length > 0 || all.some(({ headers }) => usual in headers)
    return { name: others.length > 0 ? undefined : name, isOff: !isSent && all.length >= fewest }
  }
  const remaining = find(
    'remaining',
    name =>
      isWhole(name, 'remaining') &&
      !/reset|limit$/.test(name) &&
      !isDate(name) &&
      !isConstant(name, pairs) &&
      !isCountdown(name),
    name => drops(name) > 1,
  )
  const left = ({ headers }: SeenCall) => wholeNumber(headers[remaining.name ?? '']) ?? 0
  const reset = find(
    'reset',
    name =>
      name !== remaining.name && (isDate(name) || (formsOf(name).length > 0 && !isConstant(name, later))),
    name => formsOf(name).length === 1 && (isDate(name) || isCountdown(name) || /reset/.test(name)),
  )
  const limit = find(
    'limit',
    name =>
      isWhole(name, 'limit') &&
      name !== reset.name &&
      name !== remaining.name &&
      !/reset|remaining/.test(name) &&
      pairs.every(pair => left(pair.one) - left(pair.next) !== 1 || isSame(name)(pair)) &&
      all.every(call => Number(call.headers[name]) >= left(call)),
    name =>
      /limit|quota|max/.test(name) ||
      (remaining.name !== undefined &&
        later.some(isSame(name)) &&
        all.some(call => Number(call.headers[name]) === left(call) + 1)),
  )
  const roles = { limit, remaining, reset }
  const found = Object.values(roles).map(({ name }) => name)
  const hasNames = found.some(name => name !== undefined)
  const isBare = Object.values(roles).every(({ isOff }) => isOff)
  const isSure = Object.values(roles).every(({ name, isOff }) => name !== undefined || isOff)
  const hasDraft = all.some(({ headers }) => 'ratelimit' in headers)
  const nameLine = ({ name, isOff }: typeof limit) => {
    if (name === undefined)
      return isOff && (hasNames || !hasDraft) ? lineOf(see(all, () => 'off')) : undefined
    const usual = Object.values(usualNames).find(one => one.toLowerCase() === name)
    return lineOf(see(all, ({ names }) => usual ?? names.find(one => one.toLowerCase() === name)))
  }
  const [form, ...others] = formsOf(reset.name ?? '')
  const isKnown = others.length === 0 && form !== undefined && reset.name !== undefined
  const dialectOf = ({ headers }: SeenCall) =>
    'ratelimit' in headers ? (isBare ? 'ietf' : 'both') : 'x-ratelimit'
  const lines: Lines = {
    'limits.names.limit': nameLine(limit),
    'limits.names.remaining': nameLine(remaining),
    'limits.names.reset': nameLine(reset),
    'limits.reset': isKnown ? lineOf(see(all, () => form)) : undefined,
    'limits.dialect': hasNames || isBare ? lineOf(see(all, dialectOf), fewest) : undefined,
  }
  const rateOf: RateOf = call => {
    const draft = drafts.get(call)
    return {
      limit: wholeNumber(call.headers[limit.name ?? '']) ?? draft?.limit,
      remaining: wholeNumber(call.headers[remaining.name ?? '']) ?? draft?.remaining,
      resetsAt: (isKnown ? readReset(call, reset.name ?? '', form) : undefined) ?? draft?.resetsAt,
    }
  }
  return {
    lines,
    rateOf,
    isOfLimits: (name: string) => found.includes(name.toLowerCase()),
    // Where a limit header was not found for sure, each number may be one.
    mayBeOfLimits: (value: string) => !isSure && /^\d+$|:\d\d/.test(value),
  }
}

function readReset({ headers, date }: SeenCall, name: string, form: (typeof resetForms)[number]) {
  const text = headers[name] ?? ''
  const value = wholeNumber(text)
  if (form === 'http-date') return readHttpDate(text, date ?? 0)?.ms
  if (form === 'iso-date') return parseInstant(text)
  if (form === 'seconds') return value === undefined || date === undefined ? undefined : date + value * 1_000
  return value === undefined || form === 'epoch-ms' ? value : value * 1_000
}

/** `RateLimit` and `RateLimit-Policy` of an IETF draft. */
function readDraft({ headers, date }: SeenCall): SeenRate | undefined {
  const [, name, rest = ''] = /^"([^"]*)";(.*)$/.exec(headers.ratelimit ?? '') ?? []
  if (name === undefined) return undefined
  const policy = headers['ratelimit-policy']?.split(',').find(text => text.trim().startsWith(`"${name}";`))
  const read = (text: string | undefined, parameter: string) => {
    const part = text?.split(';').find(one => one.trim().startsWith(`${parameter}=`))
    return wholeNumber(part?.split('=')[1])
  }
  const wait = read(rest, 't')
  const resetsAt = wait === undefined || date === undefined ? undefined : date + wait * 1_000
  return { limit: read(policy, 'q'), remaining: read(rest, 'r'), resetsAt }
}

export type Rate = NonNullable<ReturnType<typeof readRate>>

/**
 * What the limit headers of a response say, under whatever names. Instants are milliseconds of the service's clock. Undefined if
 * no header says how many calls are left. `now`: this machine's time, without `Date` the service's.
 */
export function readRate(headers: Readonly<Record<string, string>>, now: number) {
  const named = byName(Object.entries(headers).flat())
  const [, draftLeft, draftWait] = /;r=(\d+);t=(\d+)/.exec(named.ratelimit ?? '') ?? []
  const find = (pattern: RegExp) => Object.entries(named).find(([name]) => pattern.test(name))?.[1]
  const remaining = wholeNumber(find(/remaining$|-left$/) ?? draftLeft)
  if (remaining === undefined) return undefined
  const clock = readHttpDate(named.date ?? '', now)?.ms ?? now
  const limit = wholeNumber(find(/(?:^|-)limit$|quota$/)) ?? remaining
  return { limit, remaining, resetsAt: instantOf(find(/reset$/) ?? draftWait, clock), clock }
}

/** A reset may be seconds or milliseconds since 1970, the seconds left, or a date. */
function instantOf(text: string | undefined, clock: number): number | undefined {
  const value = wholeNumber(text)
  if (value === undefined) return parseInstant(text ?? '') ?? readHttpDate(text ?? '', clock)?.ms
  if (value < 1e9) return clock + value * 1_000
  return value < 1e11 ? value * 1_000 : value
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
