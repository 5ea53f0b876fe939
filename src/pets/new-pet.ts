import { quote } from '../call/echo.ts'
import { toInt64 } from '../json/int64.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { isPetStatus, type NewPet, petStatuses } from './pet.ts'

/** Reads a NewPet from a body, or tells everything that is wrong with it (A16). Unknown fields are ignored. */
export function readNewPet(
  value: JsonValue,
): { readonly pet: NewPet } | { readonly problems: readonly string[] } {
  if (!isObject(value)) return { problems: [`the body must be a JSON object, not ${describe(value)}`] }
  const { name, categoryId, status } = value
  const problems: string[] = []
  if (name === undefined) problems.push('name is required')
  else if (typeof name !== 'string') problems.push(`name must be a string, not ${describe(name)}`)
  const category = readCategoryId(categoryId, problems)
  if (status !== undefined && !isPetStatus(status)) {
    problems.push(`status must be one of ${petStatuses.join(', ')}, not ${describe(status)}`)
  }
  if (typeof name !== 'string' || category === undefined || problems.length > 0) return { problems }
  return { pet: { name, categoryId: category, status: isPetStatus(status) ? status : undefined } }
}

function readCategoryId(value: JsonValue | undefined, problems: string[]) {
  if (value === undefined) {
    problems.push('categoryId is required')
    return undefined
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    problems.push(`categoryId must be an integer, not ${describe(value)}`)
    return undefined
  }
  const id = toInt64(value)
  if (id !== undefined) return id
  const isFraction = typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value)
  problems.push(
    isFraction || Number.isNaN(value)
      ? `categoryId must be an integer, not ${Number.isNaN(value) ? 'a fraction' : value}`
      : 'categoryId must fit into 64 bits (int64)',
  )
  return undefined
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
