import { readJson } from '../../../../src/base/json/read.ts'
import type { JsonObject, JsonValue } from '../../../../src/base/json/value.ts'
import { writeJson } from '../../../../src/base/json/write.ts'
import type { CheckId } from '../../../../src/judges/conformance/checks.ts'
import type { Call, Reply, Traits } from './traits.ts'

/** A service with one fault. */
export interface Fault {
  /** A function, if the service has a memory. */
  readonly traits: Partial<Traits> | (() => Partial<Traits>)
  /** The check, and up to 140 characters of what is said on the plan free with the smallest request that shows it. */
  readonly finds: `${CheckId}: ${string}`
  /** The check that must not find it. */
  readonly spares?: CheckId
  /** Only `--exhaust` shows it. */
  readonly exhausts?: boolean
  /** The finding is a note, in each run or in the short one for the plan free. */
  readonly isNote?: boolean | 'free'
}

export type Faults = Readonly<Record<string, Fault>>

export type Where = (reply: Reply, call: Call) => boolean

export const pathOf = ({ target }: Call) => target.split('?')[0] ?? ''
export const isList: Where = ({ status }, call) =>
  call.method === 'GET' && pathOf(call) === '/v1/pets' && status === 200
export const isFiltered: Where = (reply, call) => isList(reply, call) && call.target.includes('status=')
export const isPet: Where = ({ status }, call) => status === 200 && pathOf(call).startsWith('/v1/pets/')
export const isGet: Where = (_, call) => call.method === 'GET' && pathOf(call).startsWith('/v1/pets/')
export const isMade: Where = ({ status }) => status === 201
export const hasStatus =
  (...statuses: readonly number[]): Where =>
  ({ status }) =>
    statuses.includes(status)

/** Changes some replies. */
export function edit(where: Where, change: (reply: Reply, call: Call) => Partial<Reply>): Partial<Traits> {
  return {
    edit: (reply, call) => (where(reply, call) ? { ...reply, ...change(reply, call) } : reply),
  }
}

export function header(
  where: Where,
  name: string,
  change: (value: string, call: Call) => string | undefined,
): Partial<Traits> {
  return edit(where, ({ headers }, call) => {
    const { [name]: value, ...others } = headers
    const next = change(value ?? '', call)
    return { headers: next === undefined ? others : { ...others, [name]: next } }
  })
}

export const without = (where: Where, name: string) => header(where, name, () => undefined)

/** Changes every animal of some replies. */
export function animals(where: Where, change: (pet: JsonObject, at: number) => JsonValue): Partial<Traits> {
  return edit(where, ({ text }) => {
    const value = parsed(text)
    const changed = Array.isArray(value)
      ? value.map((pet, at) => change(pet as JsonObject, at))
      : change(value as JsonObject, 0)
    return { text: writeJson(changed) }
  })
}

export function lists(where: Where, change: (pets: readonly JsonObject[]) => JsonValue): Partial<Traits> {
  return edit(where, ({ text }) => ({ text: writeJson(change(parsed(text) as readonly JsonObject[])) }))
}

/** A service that misreads the target of some calls. */
export function misreads(from: RegExp, to: string): Partial<Traits> {
  return { reading: call => ({ ...call, target: call.target.replace(from, to) }) }
}

export function parsed(text: string): JsonValue {
  const reading = readJson(text)
  if (!('value' in reading)) throw new Error(reading.problem)
  return reading.value
}

/** A body without JSON. */
export const html = { headers: { 'content-type': 'text/html' }, text: '<h1>No</h1>' }

export function error(status: number): Partial<Reply> {
  return { status, text: writeJson({ code: `E${status}`, message: 'no', status }) }
}
