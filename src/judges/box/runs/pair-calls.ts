import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { readTarget } from '../../../service/call/target.ts'
import { operationAt } from '../../../service/operations/routes.ts'
import { bodyText, byName } from '../../exchanges/texts.ts'

/** A call of a run. Its number is its place among all calls of the run. */
export interface RunCall {
  readonly number: number
  readonly exchange: Exchange
}

/** The same call in two runs; undefined: that run does not make it. */
export interface CallPair {
  readonly green: RunCall | undefined
  readonly red: RunCall | undefined
}

/**
 * Pairs the calls of two runs by what they are: method, target, key and body. What is left is paired by operation and key:
 * such a call asks for something else. In the order of the red run.
 */
export function pairCalls(green: readonly RunCall[], red: readonly RunCall[]): readonly CallPair[] {
  const partners = new Map<RunCall, RunCall>()
  const start = (green[0]?.exchange.at ?? 0) - (red[0]?.exchange.at ?? 0)
  const free = (calls: readonly RunCall[]) => calls.filter(call => !partners.has(call))
  const wholeName = ({ exchange }: RunCall) => requestOf(exchange) + callerOf(exchange)
  const looseName = ({ exchange }: RunCall) => {
    const { method, target } = exchange.call
    const { path } = readTarget(target)
    return `${method} ${operationAt(path, method) ?? path} ${callerOf(exchange)}`
  }
  for (const nameOf of [wholeName, looseName]) {
    const groups = groupBy(free(green), nameOf)
    for (const [name, ofRed] of groupBy(free(red), nameOf))
      for (const [one, other] of pairInOrder(groups.get(name) ?? [], ofRed, start)) {
        partners.set(one, other)
        partners.set(other, one)
      }
  }
  const pairs: CallPair[] = red.map(call => ({ green: partners.get(call), red: call }))
  for (const [place, call] of green.entries()) {
    if (partners.has(call)) continue
    const before = green[place - 1]
    const at = before === undefined ? 0 : pairs.findIndex(pair => pair.green === before) + 1
    pairs.splice(at, 0, { green: call, red: undefined })
  }
  return pairs
}

function groupBy(calls: readonly RunCall[], nameOf: (call: RunCall) => string) {
  const groups = new Map<string, RunCall[]>()
  for (const call of calls) {
    // Boxes number the keys that they name.
    const name = nameOf(call).replace(/\bkey-\d+-([\da-f]{8})/g, 'key-$1')
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [call])
    else group.push(call)
  }
  return groups
}

/** What a call asks for, as text. */
export function requestOf({ call: { method, target, body } }: Exchange): string {
  return JSON.stringify([method, target, body === 'too-large' ? body : bodyText(body)])
}

function callerOf({ sandbox, trace: { key }, call: { headers } }: Exchange): string {
  return `${sandbox} ${key ?? byName(headers).authorization}`
}

/**
 * Pairs each call of the shorter list with one of the other, in their order: with the next one in time. `start`: how much
 * earlier the run of `others` began, in milliseconds.
 */
function pairInOrder(
  calls: readonly RunCall[],
  others: readonly RunCall[],
  start: number,
): readonly (readonly [RunCall, RunCall])[] {
  if (calls.length > others.length)
    return pairInOrder(others, calls, -start).map(([one, other]) => [other, one])
  let spare = others.length - calls.length
  let at = 0
  return calls.flatMap(call => {
    for (; spare > 0 && distance(call, others[at + 1], start) < distance(call, others[at], start); at += 1)
      spare -= 1
    const other = others[at]
    at += 1
    return other === undefined ? [] : [[call, other] as const]
  })
}

/** Calls at one instant differ by their place in the run. */
function distance(one: RunCall, other: RunCall | undefined, start: number): number {
  if (other === undefined) return 0
  return Math.abs(one.exchange.at - other.exchange.at - start) + Math.abs(one.number - other.number) / 1_000
}
