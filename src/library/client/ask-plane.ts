import { isJsonObject } from '../../base/json/is-object.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { about, type Path } from '../../control/files/show.ts'
import type { RuleFields, Snapshot } from '../../control/scenario/file.ts'
import {
  type PlaneConduct,
  type PlaneFinding,
  type PlaneKeyUsage,
  type PlaneMessage,
  type PlaneOperations,
  type PlaneRequest,
  type PlaneRuleStatus,
  planeRoutes,
} from '../../generated/plane-operations.ts'
import { packBox } from '../../judges/box/pack-box.ts'
import { clip } from '../../service/call/echo.ts'
import { type ProblemCode, problems } from '../../service/call/problems.ts'
import { PetMockError } from './pet-mock-error.ts'

/** Sends a request to the admin plane. `target`: the path below `/__admin`, and the query. */
export type Send = (
  method: string,
  target: string,
  body: string | undefined,
) => Promise<{ readonly status: number; readonly text: string }>

/** The admin plane's operations, with the types that its description has. */
export type OperationId = keyof PlaneOperations

/** A rule and its counts. */
export type RuleState = Omit<PlaneRuleStatus, 'rule'> & { readonly rule: RuleFields }

/** A request of the journal. */
export type RequestView = PlaneRequest & { readonly request: PlaneMessage; readonly response: PlaneMessage }

export type ConductReport = PlaneConduct
export type KeyUsage = PlaneKeyUsage
export type Finding = PlaneFinding
export type Severity = Finding['severity']
export type Evidence = Finding['evidence'][number]
export type Explanation = PlaneOperations['getRequest']['answer']['explanation']

/** A request and the reasons for its response. */
export type ExplainedRequest = RequestView & { readonly explanation: Explanation }

/** Answers that the description leaves more open than these types. */
interface Detailed {
  readonly saveSnapshot: Snapshot
  readonly listRules: { readonly rules: readonly RuleState[] }
  readonly addRule: RuleState
  readonly changeRule: RuleState
  readonly deleteRule: RuleState
  readonly listRequests: RequestList
  readonly findRequests: RequestList
  readonly getRequest: ExplainedRequest
}
export type PlaneAnswer<Id extends OperationId> = Id extends keyof Detailed
  ? Detailed[Id]
  : PlaneOperations[Id]['answer']

/** Requests, newest last. */
export type RequestList = Omit<PlaneOperations['listRequests']['answer'], 'requests'> & {
  readonly requests: readonly RequestView[]
}

/**
 * Calls an operation of the admin plane, and resolves with its response. Rejects with the PetMockError of a refusal. The path takes its
 * fields from `fields`; the others are the query of a GET, or else the body. `query` has further parameters.
 */
export type Ask = <Id extends OperationId>(
  id: Id,
  fields?: unknown,
  query?: Query,
) => Promise<PlaneAnswer<Id>>

type Query = Readonly<Record<string, unknown>>

/** `sandbox`: the one of each call, which the first call creates. */
export function createAsk(send: Send, sandbox: string | undefined): Ask {
  const ask: Ask = async (id, fields, query) => {
    const { method, path, body, parameters } = requestOf(id, fields)
    const json = body === undefined ? undefined : writeJson(body)
    const reply = await send(method, `${path}${queryOf({ sandbox, ...parameters, ...query })}`, json)
    const value = readAnswer(reply.text)
    if (value === undefined) {
      const message = `The response to ${method} ${path} (status ${reply.status}) is not from pet-mock. Is this another server?`
      throw new PetMockError('unreachable', message)
    }
    if (reply.status < 300) return value
    throw refusalOf(value)
  }
  if (sandbox === undefined) return ask
  return async (id, fields, query) => {
    try {
      return await ask(id, fields, query)
    } catch (error) {
      ignoreNotFound(error)
      await ask('createSandbox', { name: sandbox })
      return ask(id, fields, query)
    }
  }
}

export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof PetMockError && error.code === 'not_found')) throw error
}

function refusalOf(value: { readonly code: unknown; readonly message: unknown }): PetMockError {
  const code: ProblemCode = Object.hasOwn(problems, String(value.code))
    ? (value.code as ProblemCode)
    : 'internal_error'
  return new PetMockError(code, clip(String(value.message), longestMessage))
}

/** Reads the box of a sandbox, or of all. Rejects with the PetMockError of a refusal. */
export async function readBox(send: Send, sandbox: string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const { status, text } = await send('GET', `/box${queryOf({ as: 'lines', sandbox })}`, undefined)
  if (status === 200) return packBox(text)
  throw refusalOf(readAnswer(text) ?? { code: 'unreachable', message: text })
}

/** The request of an operation. A snapshot is a body as it is; other fields are in the path, the query or the body by their names. */
function requestOf(id: OperationId, fields: unknown) {
  const [method = '', template = ''] = planeRoutes[id].split(' ')
  const given = fields === undefined ? undefined : toJson(fields)
  const isQuery = method === 'GET'
  if (!isQuery && !template.includes('{')) return { method, path: template, body: given, parameters: {} }
  const left = new Map(isJsonObject(given) ? Object.entries(given) : [])
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    left.delete(name)
    return encodeURIComponent(`${value}`)
  })
  const others = Object.fromEntries(left)
  if (isQuery) return { method, path, body: undefined, parameters: others }
  return { method, path, body: left.size === 0 ? undefined : others, parameters: {} }
}

/** The object in a response, or undefined. Its fields are not checked. */
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
