import { toInt64 } from '../../base/json/int64.ts'
import { isJsonObject } from '../../base/json/is-object.ts'
import type { Int64, JsonValue } from '../../base/json/value.ts'
import { didYouMean } from '../../base/text/did-you-mean.ts'
import { type Answer, absent, type Problem, refuseProblems, reply } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { quote } from '../call/echo.ts'
import { readJsonBody, refuseMediaType } from '../call/json-body.ts'
import { isPetStatus, type NewPet, type PetStatus, petStatuses, petText } from './pet.ts'
import type { PetStore } from './store.ts'

/** POST /pets (A16): 201 with the pet, or 400 with every problem, which stores nothing and uses no id. */
export function createPet(
  store: PetStore,
  call: Call,
  { defaultStatus, order }: { readonly defaultStatus?: PetStatus | undefined; readonly order?: BodyOrder },
): Answer {
  const read = readPetOf(call, order)
  if ('refusal' in read) return read.refusal
  const pet = store.create({ ...read.pet, status: read.pet.status ?? defaultStatus })
  return reply(201, petText(pet), { Location: `/v1/pets/${pet.id}` })
}

type BodyOrder = { readonly contentType: 'before-schema' | 'after-schema' } | undefined

/** The pet in a call's body, or the refusal of the first that is wrong (A01). */
export function readPetOf(
  call: Call,
  order: BodyOrder,
): { readonly pet: NewPet } | { readonly refusal: Answer } {
  const isTypeLast = order?.contentType === 'after-schema'
  const body = readJsonBody(call, undefined, isTypeLast)
  if ('refusal' in body) return body
  const read = readNewPet(body.value)
  if ('problems' in read) return { refusal: refuseProblems('invalid_body', read.problems) }
  const refusal = isTypeLast ? refuseMediaType(call) : undefined
  return refusal === undefined ? read : { refusal }
}

/** Reads a NewPet from a body, or lists all its problems (A16). Ignores unknown fields. */
export function readNewPet(
  value: JsonValue,
): { readonly pet: NewPet } | { readonly problems: readonly Problem[] } {
  if (!isJsonObject(value))
    return { problems: [{ ...mustBe('the body', 'a JSON object', value), what: 'body' }] }
  const problems: Problem[] = []
  const name = typeof value.name === 'string' ? value.name : undefined
  if (name === undefined) problems.push(mustBe('name', 'a string', value.name))
  const categoryId = readCategoryId(value.categoryId, problems)
  const status = readStatus(value.status, problems)
  if (name === undefined || categoryId === undefined || problems.length > 0) return { problems }
  return { pet: { name, categoryId, status } }
}

function readCategoryId(value: JsonValue | undefined, problems: Problem[]): Int64 | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    const problem = mustBe('categoryId', 'an integer', value)
    const isDigits = typeof value === 'string' && /^-?\d{1,19}$/.test(value)
    problems.push(isDigits ? { ...problem, expected: `${value}, without quotes` } : problem)
    return undefined
  }
  const id = toInt64(value)
  if (id !== undefined) return id
  problems.push(unfit(value))
  return undefined
}

function unfit(value: number | bigint): Problem {
  const what = 'categoryId'
  const isFraction = typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value)
  if (!isFraction && !Number.isNaN(value)) {
    const message = 'categoryId must fit into 64 bits (int64)'
    return { what, asked: describe(value), expected: 'an integer of at most 64 bits', message }
  }
  const asked = Number.isNaN(value) ? 'a fraction' : `${value}`
  const nearest = Number.isNaN(value) ? 'an integer' : `${Math.round(Number(value))} (an integer)`
  return { what, asked, expected: nearest, message: `categoryId must be an integer, not ${asked}` }
}

function readStatus(value: JsonValue | undefined, problems: Problem[]): PetStatus | undefined {
  if (value === undefined || isPetStatus(value)) return value
  const problem = mustBe('status', `one of ${petStatuses.join(', ')}`, value)
  const meant = typeof value === 'string' ? didYouMean(value, petStatuses) : undefined
  problems.push(meant === undefined ? problem : { ...problem, expected: JSON.stringify(meant) })
  return undefined
}

function mustBe(what: string, expected: string, found: JsonValue | undefined): Problem {
  if (found === undefined) return { what, asked: absent, expected, message: `${what} is required` }
  const asked = describe(found)
  return { what, asked, expected, message: `${what} must be ${expected}, not ${asked}` }
}

function describe(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'boolean') return `the boolean ${value}`
  if (typeof value === 'string') return `the string ${quote(value)}`
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number'
  return `the number ${value}`
}
