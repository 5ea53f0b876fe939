import { isJsonArray, isJsonObject, listOf, objectOf } from '../../../base/json/is-object.ts'
import { followRefs, refOf, resolveRef } from '../../../base/json/pointer.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { lazily } from '../../../base/lazily.ts'
import { countExpanded } from '../prism/for-prism.ts'
import { type Operation, readOperations } from '../prism/prism.ts'

/** What a description says of an operation, which Prism reads when it is first needed. */
export interface LazyOperation {
  readonly path: string
  /** In lower case. */
  readonly method: string
  /** The whole description, into which references lead. */
  readonly root: JsonObject
  readonly fields: JsonObject
  /** Those of its path, too. */
  readonly parameters: readonly JsonObject[]
  readonly read: () => Promise<Operation>
}

/** The operations of a description as `forPrism` makes it. It must not change. */
export function listOperations(root: JsonObject): readonly LazyOperation[] {
  return Object.entries(objectOf(root.paths)).flatMap(([path, written]) => {
    const item = objectOf(followRefs(root, written))
    return Object.keys(item).flatMap((method): readonly LazyOperation[] => {
      const fields = followRefs(root, item[method])
      if (!path.startsWith('/') || !isMethod(method) || !isJsonObject(fields)) return []
      const parameters = [...listOf(item.parameters), ...listOf(fields.parameters)].map(parameter =>
        objectOf(followRefs(root, parameter)),
      )
      const { openapi = '3.1.0', info = {}, security, components } = root
      const document = {
        ...{ openapi, info, paths: { [path]: { [method]: { ...fields, parameters } } } },
        ...(security !== undefined && { security }),
        components: { securitySchemes: objectOf(objectOf(components).securitySchemes) },
      }
      return [{ path, method, root, fields, parameters, read: lazily(() => read(root, document)) }]
    })
  })
}

function isMethod(name: string): boolean {
  return /^(?:get|put|post|delete|options|head|patch|trace)$/.test(name)
}

/** A response by its status, such as `200` or `default`. */
interface WrittenResponse {
  readonly code: string
  readonly response: JsonObject
}

export function responsesOf({ root, fields }: LazyOperation): readonly WrittenResponse[] {
  return Object.entries(objectOf(fields.responses))
    .filter(([code]) => !code.startsWith('x-'))
    .map(([code, response]) => ({ code, response: objectOf(followRefs(root, response)) }))
}

/** The response of a success: the lowest 2xx, else `default`. */
export function successOf(operation: LazyOperation): WrittenResponse | undefined {
  const ordered = responsesOf(operation).toSorted((a, b) => (a.code < b.code ? -1 : 1))
  return ordered.find(({ code }) => /^2/.test(code)) ?? ordered.find(({ code }) => code === 'default')
}

export function bodyOf({ root, fields }: LazyOperation): JsonObject | undefined {
  const body = followRefs(root, fields.requestBody)
  return isJsonObject(body) ? body : undefined
}

/** The schema of the JSON in a response or a body: empty if it has none, undefined without JSON. */
export function schemaIn({ root }: LazyOperation, part: JsonObject | undefined): JsonValue | undefined {
  const json = Object.entries(objectOf(part?.content)).find(([type]) =>
    /^application\/(?:[\w.+-]+\+)?json\b/i.test(type),
  )
  return json && (objectOf(followRefs(root, json[1])).schema ?? {})
}

async function read(root: JsonObject, document: JsonObject): Promise<Operation> {
  const [operation] = await readOperations(forOne(root, document))
  if (operation === undefined) throw new Error('Prism finds no operation in it')
  return operation
}

/** Values of one operation once its references are replaced. Prism compiles them, and a call waits for that. */
const mostValues = 20_000

/** One operation with all that it refers to. Of a larger one, what lies behind many references is left open. */
function forOne(root: JsonObject, document: JsonObject): object {
  const whole = withParts(root, document)
  if (countExpanded(whole, mostValues) <= mostValues) return whole
  for (let depth = 6; depth > 1; depth -= 1) {
    const cut = inlined(root, document, depth)
    if (countExpanded(cut, mostValues) <= mostValues) return cut
  }
  return inlined(root, document, 1)
}

/** A copy with the targets of its references beside it. Prism changes what it reads. */
function withParts(root: JsonObject, document: JsonObject): object {
  const numbers = new Map<string, number>()
  const copy = (value: JsonValue): JsonValue =>
    copyWith(value, (ref, rest) => {
      if (!numbers.has(ref)) numbers.set(ref, numbers.size)
      return { ...rest, $ref: `#/x-parts/${numbers.get(ref)}` }
    })
  const copied = objectOf(copy(document))
  const parts: Record<string, JsonValue> = {}
  // The map grows in this loop.
  for (const [ref, number] of numbers) parts[number] = copy(resolveRef(root, ref) ?? {})
  return { ...copied, 'x-parts': parts }
}

/** A copy with its references replaced, at most `depth` behind each other. Behind them, everything is allowed. */
function inlined(root: JsonObject, document: JsonObject, depth: number): object {
  const copy = (value: JsonValue, left: number): JsonValue =>
    copyWith(value, (ref, rest) =>
      left === 0 ? rest : { ...objectOf(copy(resolveRef(root, ref) ?? {}, left - 1)), ...rest },
    )
  return objectOf(copy(document, depth))
}

/** A copy whose references are replaced, in examples, too: Prism follows those. `rest`: the fields beside it. */
function copyWith(value: JsonValue, follow: (ref: string, rest: JsonObject) => JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(item => copyWith(item, follow))
  if (!isJsonObject(value)) return value
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, copyWith(field, follow)]),
  )
  const ref = refOf(value)
  if (ref === undefined) return fields
  const { $ref: _ref, ...rest } = fields
  return follow(ref, rest)
}
