import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { about, type Path } from '../../control/files/show.ts'
import { clip } from '../../service/call/echo.ts'
import { type ProblemCode, problems } from '../../service/call/problems.ts'
import { PetMockError } from './pet-mock-error.ts'

/** Sends a request to the admin plane. `target`: the path below `/__admin`, and the query. */
export type Send = (
  method: string,
  target: string,
  body: string | undefined,
) => Promise<{ readonly status: number; readonly text: string }>

type Query = Readonly<Record<string, unknown>>

/** Sends a command to the admin plane, and resolves with its JSON. Rejects with the PetMockError of a refusal. */
export type Ask = <T>(method: string, path: string, body?: unknown, query?: Query) => Promise<T>

export function createAsk(send: Send, sandbox: string | undefined): Ask {
  const ask: Ask = async (method, path, body, query) => {
    const json = body === undefined ? undefined : writeJson(toJson(body))
    const reply = await send(method, `${path}${queryOf({ sandbox, ...query })}`, json)
    const value = readAnswer(reply.text)
    if (value === undefined) {
      const message = `The answer to ${method} ${path} (status ${reply.status}) is not from pet-mock. Is this another server?`
      throw new PetMockError('unreachable', message)
    }
    if (reply.status < 300) return value
    throw new PetMockError(codeOf(value.code), clip(String(value.message), longestMessage))
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

/** The object in an answer, or undefined. Its fields are not checked. */
function readAnswer(text: string): ReturnType<typeof JSON.parse> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Messages of pet-mock are shorter, unless they list many mistakes. */
const longestMessage = 20_000

function queryOf(parameters: Query): string {
  const present = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  )
  return present.length === 0 ? '' : `?${present.join('&')}`
}

function codeOf(code: unknown): ProblemCode {
  return Object.hasOwn(problems, String(code)) ? (code as ProblemCode) : 'internal_error'
}

/** Converts a value to JSON: dates to instants, and without undefined fields. Throws for values that JSON lacks. */
function toJson(value: unknown, path: Path = [], around: readonly unknown[] = []): JsonValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' && !Number.isFinite(value))
    throw notJson(path, `${value} is not a JSON number`)
  if (typeof value === 'number') return exact(value, path)
  if (typeof value === 'function' || typeof value === 'symbol')
    throw notJson(path, `a ${typeof value} is not JSON`)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if (around.includes(value)) throw notJson(path, 'circular reference')
  const within = [...around, value]
  if (Array.isArray(value)) return value.map((item, index) => toJson(item, [...path, index], within))
  const present = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(present.map(([name, field]) => [name, toJson(field, [...path, name], within)]))
}

/** A number that stands for one integer of 64 bits, or is none. Throws a PetMockError for others. */
export function exact(value: number, path: Path): number {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63) return value
  const message = about(path, `a number beyond 2^53 is not exact. Use a bigint: ${BigInt(value)}n.`)
  throw new PetMockError('invalid_command', message)
}

function notJson(path: Path, why: string): PetMockError {
  return new PetMockError('invalid_command', `${about(path, why)}. Use a JSON value.`)
}
