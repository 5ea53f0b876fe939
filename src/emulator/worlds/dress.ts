import { isJsonArray, isJsonObject, objectOf } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { drawLognormal } from '../../base/random/lognormal.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { type Answer, reply } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import { maxDelayMs } from '../../service/call/fault.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import type { Target } from '../../service/call/target.ts'
import { waitSeconds } from '../../service/limits/retry-after.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import type { Decision, Gate } from '../journal/exchange.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import type { Behaviour } from './scenario.ts'

/** Gives a decision the looks that the settings of the service describe: wordings, extra members and headers, latency. */
export type Dress = (decision: Decision, context: DressedCall) => Decision

interface DressedCall {
  readonly call: Call
  readonly target: Target
  /** The instant of the `Date` header. */
  readonly date: number
  readonly world: { readonly nextExchange: number }
}

/** The gates whose answers are the service's. What rules and doors answer stays as it is. */
const own: ReadonlySet<Gate> = new Set(['key', 'ban', 'limit', 'route', 'operation'])

/** Undefined if everything looks as usual. */
export function createDress({ errors, responses, latency }: Behaviour, seed: number): Dress | undefined {
  const { headers, error, pet } = responses ?? {}
  const waits = typeof latency === 'object' && latency !== null ? latency : undefined
  if (!errors && !headers && !error && !pet && !waits) return undefined
  // Pages are shared, so each is dressed once.
  const dressed = new WeakMap<Answer, Answer>()
  const dress = (decision: Decision, context: DressedCall): Answer => {
    const { answer } = decision
    const { code } = answer
    if (code !== undefined) {
      const texts = Object.entries(errors ?? {}).find(([name]) => name === code)?.[1]
      if (!texts && !error) return withHeaders(answer, headers)
      const said = objectOf(jsonIn(answer.body))
      const message = texts?.message?.replace(/\{(\w+)\}/g, slotsOf(decision, context))
      const body = {
        ...said,
        ...(texts?.code && { code: texts.code }),
        ...(message !== undefined && { message }),
        ...error,
      }
      return withHeaders(withBody(answer, body), headers)
    }
    const known = dressed.get(answer)
    if (known !== undefined) return known
    const made = withHeaders(pet && isOfPets(decision) ? withMembers(answer, pet) : answer, headers)
    dressed.set(answer, made)
    return made
  }
  return (decision, context) => {
    if (!own.has(decision.gate) || decision.area !== undefined) return decision
    const looks = { ...decision, answer: dress(decision, context) }
    const { operation } = decision
    const wait = operation && waits?.[operation.id]
    if (!wait) return looks
    const [median = 0, p99 = 0] = [wait.median, wait.p99].map(text => parseDuration(text) ?? 0)
    const drawn = drawLognormal(median, p99, seed, context.world.nextExchange)
    const before = decision.intervention ?? nothing
    const delayMs = Math.min(maxDelayMs, before.delayMs + Math.round(drawn))
    return { ...looks, intervention: { ...before, delayMs } }
  }
}

const nothing: Intervention = {
  gate: 'rule',
  answer: undefined,
  isAfterCall: false,
  rules: undefined,
  delayMs: 0,
  fault: undefined,
  marks: { acting: undefined, isFaultOnly: false, isShown: false },
}

function isOfPets({ operation, answer }: Decision): boolean {
  const withPets: readonly (OperationId | undefined)[] = ['listPets', 'createPet', 'getPet']
  return answer.status < 300 && withPets.includes(operation?.id)
}

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>> | null | undefined): Answer {
  return headers ? { ...answer, headers: { ...headers, ...answer.headers } } : answer
}

function withBody(answer: Answer, body: JsonValue): Answer {
  const { status, headers, code, mismatches } = answer
  return { ...answer, ...reply(status, writeJson(body), headers), code, mismatches }
}

/** A pet's own extra members come last, and win. */
function withMembers(answer: Answer, members: JsonObject): Answer {
  const value = jsonIn(answer.body)
  if (value === undefined) return answer
  const extended = (pet: JsonValue): JsonValue => {
    if (!isJsonObject(pet)) return pet
    const { id, name, categoryId, status, ...extra } = pet
    const own = { id, name, categoryId, ...(status !== undefined && { status }) }
    return { ...own, ...members, ...extra } as JsonObject
  }
  return withBody(answer, isJsonArray(value) ? value.map(extended) : extended(value))
}

/** The values that stand for the slots of a message. A slot without one stays. */
function slotsOf({ answer, rate }: Decision, { call, target, date }: DressedCall) {
  const [wrong] = answer.mismatches ?? []
  const slots: Readonly<Record<string, () => JsonValue | undefined>> = {
    id: () => target.path.split('/').at(-1),
    limit: () => rate?.limit,
    wait: () => rate && waitSeconds(rate.resetsAt, date),
    field: () => wrong?.what,
    value: () => wrong?.asked,
    name: () => {
      const body = peekJsonBody(call)
      return isJsonObject(body) && typeof body.name === 'string' ? body.name : undefined
    },
    path: () => target.path,
    method: () => call.method,
  }
  return (slot: string, name: string) =>
    `${(Object.hasOwn(slots, name) ? slots[name]?.() : undefined) ?? slot}`
}
