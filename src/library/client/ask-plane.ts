import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { about, type Path } from '../../control/files/show.ts'
import { type ProblemCode, problems } from '../../service/call/problems.ts'
import { PetMockError } from './pet-mock-error.ts'

export interface AdminRequest {
  readonly method: string
  /** Below `/__admin`, with its query. */
  readonly target: string
  readonly body: string | undefined
}

/** Brings a request to the admin plane, and the reply back. */
export type Send = (request: AdminRequest) => Promise<{ readonly status: number; readonly text: string }>

type Query = Readonly<Record<string, unknown>>

/**
 * Asks the admin plane, and resolves with what the reply's JSON says. Rejects with a PetMockError that has the
 * refusal's code and message.
 */
export type Ask = <T>(method: string, path: string, body?: unknown, query?: Query) => Promise<T>

export function createAsk(send: Send, sandbox: string | undefined): Ask {
  const ask: Ask = async (method, path, body, query) => {
    const target = `${path}${queryOf({ sandbox, ...query })}`
    const reply = await send({
      method,
      target,
      body: body === undefined ? undefined : writeJson(plain(body)),
    })
    const value = JSON.parse(reply.text)
    if (reply.status < 400) return value
    throw new PetMockError(codeOf(value.code), String(value.message))
  }
  if (sandbox === undefined) return ask
  return async (method, path, body, query) => {
    try {
      return await ask(method, path, body, query)
    } catch (error) {
      if (!(error instanceof PetMockError && error.code === 'not_found')) throw error
      await ask('PUT', `/sandboxes/${encodeURIComponent(sandbox)}`)
      return ask(method, path, body, query)
    }
  }
}

function queryOf(parameters: Query): string {
  const said = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  )
  return said.length === 0 ? '' : `?${said.join('&')}`
}

function codeOf(code: unknown): ProblemCode {
  return Object.hasOwn(problems, String(code)) ? (code as ProblemCode) : 'internal_error'
}

/**
 * What a program writes, as JSON has it: instants as texts, and nothing where there is undefined. Throws a PetMockError for
 * what JSON has no words for.
 */
function plain(value: unknown, path: Path = [], around: readonly unknown[] = []): JsonValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' && !Number.isFinite(value))
    throw unsaid(path, `${value} is no number of JSON`)
  if (typeof value === 'function' || typeof value === 'symbol')
    throw unsaid(path, `a ${typeof value} is not JSON`)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if (around.includes(value)) throw unsaid(path, 'this is what it stands in, and JSON ends somewhere')
  const within = [...around, value]
  if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, index], within))
  const said = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(said.map(([name, field]) => [name, plain(field, [...path, name], within)]))
}

function unsaid(path: Path, why: string): PetMockError {
  return new PetMockError('invalid_command', `${about(path, why)}. Write a value that JSON has.`)
}
