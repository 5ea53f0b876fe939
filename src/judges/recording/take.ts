import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { readTarget } from '../../service/call/target.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { type Cleaner, mostKeys } from './cleaner.ts'
import type { LeftOutList, SeenCall } from './seen-call.ts'

/** A call of a recording, without secrets. */
export interface Take {
  /** Its place among the takes. */
  readonly index: number
  /** The second in which it was sent, in milliseconds. Limits and bans of the emulator are exact to the second. */
  readonly at: number
  readonly method: string
  readonly target: string
  /** A pseudonym; null: no key. */
  readonly key: string | null
  /** Only those that change the answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue | undefined
  readonly operation: OperationId | undefined
  readonly status: number
  readonly answer: Readonly<Record<string, string>>
  readonly json: JsonValue | undefined
  /** The code of an error. */
  readonly code: string | undefined
  /** Calls that were under way at the same time have the same number; undefined: it was alone. */
  readonly cluster: number | undefined
}

/** Methods that a walkthrough can send. */
const methods = /^[A-Z][A-Z-]{0,31}$/
const targets = /^\/[\x21\x22\x24-\x7e]*$/
const longestTarget = 2_000

/** The calls in the order in which they were sent; those that a walkthrough cannot make are left out. */
export function takesOf(calls: readonly SeenCall[], cleaner: Cleaner, leftOut: LeftOutList): readonly Take[] {
  const inOrder = calls.toSorted((one, other) => one.sentAt - other.sentAt)
  const usable = inOrder.flatMap(call => {
    const key = cleaner.keyOf(call)
    const reason = whyNot(call) ?? (key === undefined ? `there are more than ${mostKeys} keys` : '')
    if (key === undefined || reason !== '') {
      leftOut.add(reason, `${call.method} ${cleaner.text(readTarget(call.target).path)}`)
      return []
    }
    return [{ call, take: { ...takeOf(call, cleaner, leftOut), key } }]
  })
  const clusters = clustersOf(usable.map(({ call }) => call))
  return usable.map(({ take }, index) => ({ ...take, index, cluster: clusters[index] }))
}

function clustersOf(calls: readonly SeenCall[]): readonly (number | undefined)[] {
  let lastAnswer = Number.NEGATIVE_INFINITY
  let current = 0
  const numbers = calls.map(({ sentAt, answeredAt }) => {
    if (sentAt >= lastAnswer) current += 1
    lastAnswer = Math.max(lastAnswer, answeredAt)
    return current
  })
  return numbers.map((number, index) =>
    number === numbers[index - 1] || number === numbers[index + 1] ? number : undefined,
  )
}

function whyNot({ method, target, headers, answer }: SeenCall): string | undefined {
  if (!methods.test(method) || !targets.test(target)) return 'a walkthrough cannot write this request line'
  if (target.length > longestTarget) return `the request target is longer than ${longestTarget} characters`
  if (method === 'OPTIONS') return 'OPTIONS: browsers send it by themselves'
  if (answer.status === 304 || 'if-none-match' in headers || 'if-modified-since' in headers)
    return 'a conditional request, which the emulator answers in full'
  return answer.status < 200 || answer.status > 599 ? 'there is no complete answer' : undefined
}

function takeOf(
  call: SeenCall,
  cleaner: Cleaner,
  leftOut: LeftOutList,
): Omit<Take, 'index' | 'key' | 'cluster'> {
  const target = cleaner.target(call.target, name => {
    leftOut.add('the value of a secret parameter', name)
  })
  const { status, headers, body } = call.answer
  const operation = operationAt(readTarget(target).path, call.method)
  const json = body === undefined ? undefined : jsonOf(cleaner.body(body))
  return {
    at: Math.floor(call.sentAt / 1_000) * 1_000,
    method: call.method,
    target,
    headers: keptHeaders(call, cleaner, leftOut),
    body: operation === 'createPet' && call.body ? bodyOf(cleaner.body(call.body)) : undefined,
    operation,
    status,
    answer: headers,
    json,
    code: codeOf(status, json),
  }
}

function keptHeaders(
  { headers, body }: SeenCall,
  cleaner: Cleaner,
  leftOut: LeftOutList,
): Readonly<Record<string, string>> {
  const type = headers['content-type']
  const isUsual = type === undefined || /^application\/json(?:; *charset=utf-8)?$/i.test(type)
  const named = {
    ...(!isUsual && body && { 'Content-Type': type }),
    ...(headers.prefer !== undefined && { Prefer: headers.prefer }),
  }
  const kept = Object.entries(named).flatMap(([name, value]) => {
    const shown = cleaner.text(value)
    if (cleaner.body(shown) === shown) return /^[\t\x20-\x7e]*$/.test(shown) ? [[name, shown]] : []
    leftOut.add('a header that holds a secret', name)
    return []
  })
  return Object.fromEntries(kept)
}

/** A body that is not JSON is sent as it is. */
function bodyOf(text: string): JsonValue {
  const json = jsonOf(text)
  return json === undefined || typeof json === 'string' ? text : json
}

/** Undefined for numbers such as 1e400, which no scenario can hold. */
function jsonOf(text: string): JsonValue | undefined {
  const read = readJson(text)
  return 'problem' in read || !isExact(read.value) ? undefined : read.value
}

function isExact(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

function codeOf(status: number, json: JsonValue | undefined): string | undefined {
  const code = status >= 400 && typeof json === 'object' && json !== null && 'code' in json && json.code
  return typeof code === 'string' && /^[a-z][a-z0-9_.-]{0,59}$/i.test(code) ? code : undefined
}
