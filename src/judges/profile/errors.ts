import type { Line } from '../../control/profile/profile.ts'
import { errorCodes } from '../../control/scenario/settings/texts.ts'
import { absent } from '../../service/call/answer.ts'
import { type ProblemCode, problems } from '../../service/call/problems.ts'
import { malformedKey } from '../exchanges/seen-trace.ts'
import { isAccepted } from './rates.ts'
import { endOf, type RateOf, type Run } from './refusals.ts'
import type { SeenCall } from './seen-call.ts'
import { type Lines, lineOf, type Sighting } from './sightings.ts'
import { findTemplate, type Wording } from './template.ts'

/** An error, and what else led to it: a wording is learned from two different ones. */
interface Case {
  readonly name: ProblemCode
  readonly call: SeenCall
  readonly kind: string
}

/** Errors whose wording often says which of several causes it was: each needs cases of these kinds. */
const causes: Readonly<Partial<Record<ProblemCode, (calls: readonly SeenCall[]) => boolean>>> = {
  invalid_parameter: calls => count(calls, ({ wrong }) => wrong?.what) > 1,
  invalid_body: calls =>
    count(calls, ({ wrong }) => wrong?.what) > 1 && count(calls, ({ wrong }) => wrong?.asked === absent) > 1,
  unsupported_media_type: calls => count(calls, ({ wrong }) => wrong?.asked === absent) > 1,
  invalid_json: calls => count(calls, ({ wrong }) => wrong?.asked) > 1,
  invalid_api_key: calls => count(calls, ({ key }) => key === malformedKey) > 1,
}

function count(calls: readonly SeenCall[], of: (call: SeenCall) => unknown): number {
  return new Set(calls.map(of)).size
}

/** Codes and wordings of errors, by the situation of the call (A09). */
export function learnErrors(calls: readonly SeenCall[], runs: readonly Run[], rateOf: RateOf): Lines {
  const cases = [...casesOf(calls), ...refusedCases(runs, rateOf)].filter(
    ({ call: { json } }) => typeof json?.code === 'string' && errorCodes.accepts(json.code),
  )
  const names = [...new Set(cases.map(({ name }) => name))]
  const lines = names.map(name => [
    `errors.${name}`,
    lineOfCases(
      name,
      cases.filter(one => one.name === name),
      rateOf,
    ),
  ])
  return Object.fromEntries(lines)
}

function lineOfCases(name: ProblemCode, cases: readonly Case[], rateOf: RateOf): Line | undefined {
  const codes = cases.map(({ call }): Sighting => ({ call, value: { code: call.json?.code } }))
  const own = cases.map(({ call }) => call)
  const needs = causes[name]
  const line = lineOf(codes)
  if (line?.state !== 'observed' || (needs !== undefined && !needs(own))) return line
  const latest = cases.filter(({ call }) => call.json?.code === Object(line.value).code)
  const isRefusal = name === 'rate_limit_exceeded' || name === 'api_key_banned'
  const found = findTemplate(
    latest.map(({ call }) => wordingOf(call, rateOf)),
    { isRefusal, hasKinds: new Set(latest.map(({ kind }) => kind)).size > 1 },
  )
  if (found === undefined) return line
  return {
    ...line,
    value: { ...Object(line.value), message: found.message },
    ...(found.isInferred && { state: 'inferred' as const }),
  }
}

function wordingOf(call: SeenCall, rateOf: RateOf): Wording {
  const { json, path, wrong, name, method, date } = call
  const end = endOf(call, rateOf)
  return {
    text: typeof json?.message === 'string' ? json.message : undefined,
    slots: {
      path,
      id: path.split('/').at(-1),
      field: wrong?.what,
      name,
      value: wrong?.asked,
      wait: end === undefined || date === undefined ? undefined : `${Math.max(1, (end - date) / 1_000)}`,
      limit: rateOf(call).limit?.toString(),
      method,
    },
    end,
  }
}

function casesOf(calls: readonly SeenCall[]): readonly Case[] {
  const accepted = new Set(calls.filter(({ status }) => status !== 401).map(({ key }) => key))
  const removals = removalsOf(calls)
  return calls.flatMap((call): Case[] => {
    const { status, key, operation, isRouted, path, wrong, method } = call
    const of = (name: ProblemCode, kind: string): Case[] => [{ name, call, kind }]
    if (status === 401 && key === null) return of('missing_api_key', path)
    if (status === 401) return accepted.has(key) ? [] : of('invalid_api_key', `${key === malformedKey}`)
    if (status === 404 && !isRouted && !unspecified.test(path)) return of('route_not_found', path)
    if (status === 405) return of('method_not_allowed', `${method} ${path}`)
    if (removals.get(call) === true) return of('endpoint_removed', path)
    if (status === 404 && removals.get(call) === false) return of('pet_not_found', path)
    if (wrong === undefined || wrong.code !== wrong.lastCode) return []
    const name = wrong.code as ProblemCode
    return problems[name] === status && operation !== undefined
      ? of(name, `${wrong.what} ${wrong.asked}`)
      : []
  })
}

/** Areas that the specification names, and does not describe. */
const unspecified = /^\/v1\/(?:store|categories)(?:\/|$)/

/**
 * Of a 404 or 410 of getPet, whether the operation is removed. A pet that a list has shown is there. Other pets follow the
 * calls before and after, if those agree.
 */
export function removalsOf(calls: readonly SeenCall[]): ReadonlyMap<SeenCall, boolean> {
  const listed = new Set<string>()
  const known = new Map<SeenCall, boolean>()
  const open: SeenCall[] = []
  let last: boolean | undefined
  for (const call of calls) {
    const { operation, status, list, path, method } = call
    for (const id of list?.ids ?? []) listed.add(`/v1/pets/${id}`)
    if (operation !== 'getPet' || method !== 'GET') continue
    const isGone = status === 410 || (status === 404 && listed.has(path))
    if (status === 404 && !isGone) open.push(call)
    if (!isAccepted(call) && !isGone) continue
    if (isGone) known.set(call, true)
    for (const one of open.splice(0)) if (last === undefined || last === isGone) known.set(one, isGone)
    last = isGone
  }
  for (const one of open) if (last !== undefined) known.set(one, last)
  return known
}

function refusedCases(runs: readonly Run[], rateOf: RateOf): readonly Case[] {
  return runs.flatMap(({ limited, banned, before }): Case[] => {
    const kindOf = (call: SeenCall) => `${endOf(call, rateOf)} ${call.date}`
    const end = limited[0] && endOf(limited[0], rateOf)
    const isOfWindow =
      banned.length > 0 ||
      limited.some(({ json }) => json?.code === 'rate_limit_exceeded') ||
      (end !== undefined && isWindowEnd(end, before, rateOf))
    const of = (name: ProblemCode, calls: readonly SeenCall[]) =>
      calls.map(call => ({ name, call, kind: kindOf(call) }))
    return [...(isOfWindow ? of('rate_limit_exceeded', limited) : []), ...of('api_key_banned', banned)]
  })
}

const minute = 60_000

/** A first refusal may already be a ban: so it must end with a window. */
function isWindowEnd(end: number, before: SeenCall | undefined, rateOf: RateOf): boolean {
  return end % minute === 0 || (before !== undefined && rateOf(before).resetsAt === end)
}
