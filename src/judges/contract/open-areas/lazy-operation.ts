import { isJsonArray, isJsonObject, listOf, objectOf } from '../../../base/json/is-object.ts'
import { followRefs, refOf, resolveRef } from '../../../base/json/pointer.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { lazily } from '../../../base/lazily.ts'
import { isJson, successOf } from '../prism/examples.ts'
import { countExpanded } from '../prism/for-prism.ts'
import { type Operation, readOperations } from '../prism/prism.ts'

/** What a description says of an operation, which Prism reads when it is first needed. */
export type LazyOperation = ReturnType<typeof listOperations>[number]

/** The operations of a description as `forPrism` makes it. It must not change. */
export function listOperations(root: JsonObject) {
  const read = createReader(root)
  return Object.entries(objectOf(root.paths)).flatMap(([path, written]) => {
    const item = objectOf(followRefs(root, written))
    return Object.keys(item).flatMap(method => {
      const fields = followRefs(root, item[method])
      if (!path.startsWith('/') || !isMethod.test(method) || !isJsonObject(fields)) return []
      const parameters = [...listOf(item.parameters), ...listOf(fields.parameters)].map(parameter =>
        objectOf(followRefs(root, parameter)),
      )
      const { openapi = '3.1.0', info = {}, security, components } = root
      const document = {
        ...{ openapi, info, paths: { [path]: { [method]: { ...fields, parameters } } } },
        ...(security !== undefined && { security }),
        components: { securitySchemes: objectOf(objectOf(components).securitySchemes) },
      }
      // `method` is in lower case, `root` is the whole description, into which references lead.
      return [{ path, method, root, fields, parameters, read: lazily(() => read(document)) }]
    })
  })
}

const isMethod = /^(?:get|put|post|delete|options|head|patch|trace)$/

/** The responses by their statuses, such as `200` or `default`. */
export function responsesOf({ root, fields }: LazyOperation) {
  return Object.entries(objectOf(fields.responses))
    .filter(([code]) => !code.startsWith('x-'))
    .map(([code, response]) => ({ code, response: objectOf(followRefs(root, response)) }))
}

export function successIn(operation: LazyOperation) {
  return successOf({ responses: responsesOf(operation) })
}

/** The schema of the JSON in a response or a body: empty if it has none, undefined without JSON. */
export function schemaIn({ root }: LazyOperation, part: JsonValue | undefined): JsonValue | undefined {
  const content = objectOf(objectOf(followRefs(root, part)).content)
  const json = Object.entries(content).find(([type]) => isJson.test(type))
  return json && (objectOf(followRefs(root, json[1])).schema ?? {})
}

/** Values of one operation once its references are replaced. Prism compiles them, and a call waits for that. */
const mostValues = 20_000
/** Of all operations together: Prism never releases what it compiled. GitHub's own file has 2 million. */
const mostOfAll = 5_000_000

/** Reads operations of one description. Each has fewer values when others have used up the memory. */
function createReader(root: JsonObject) {
  let left = mostOfAll
  return async (document: JsonObject): Promise<Operation> => {
    const most = Math.max(100, Math.min(mostValues, left))
    left -= most
    const whole = withParts(root, document)
    const count = countExpanded(whole, most)
    if (count <= most) left += most - count
    const [operation] = await readOperations(count <= most ? whole : cutTo(root, document, most))
    if (operation === undefined) throw new Error('pet-mock cannot read this operation of the OpenAPI file')
    return operation
  }
}

/** An operation without what lies behind many references. */
function cutTo(root: JsonObject, document: JsonObject, most: number): object {
  for (let depth = 6; depth > 0; depth -= 1) {
    const cut = inlined(root, document, depth, most)
    if (cut !== undefined) return cut
  }
  return inlined(root, document, 0, Number.POSITIVE_INFINITY) ?? {}
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

/**
 * A copy with its references replaced, at most `depth` behind each other: behind them, everything is allowed. Undefined if it has
 * more than `most` values.
 */
function inlined(root: JsonObject, document: JsonObject, depth: number, most: number): object | undefined {
  let left = most
  const copy = (value: JsonValue, depth: number): JsonValue =>
    copyWith(
      value,
      (ref, rest) =>
        depth === 0 ? rest : { ...objectOf(copy(resolveRef(root, ref) ?? {}, depth - 1)), ...rest },
      () => {
        left -= 1
        return left >= 0
      },
    )
  const copied = objectOf(copy(document, depth))
  return left < 0 ? undefined : copied
}

/**
 * A copy whose references are replaced, in examples, too: Prism follows those. `rest`: the fields beside a reference. `enter`:
 * whether to copy one value more.
 */
function copyWith(
  value: JsonValue,
  follow: (ref: string, rest: JsonObject) => JsonValue,
  enter: () => boolean = () => true,
): JsonValue {
  if (!enter()) return {}
  if (isJsonArray(value)) return value.map(item => copyWith(item, follow, enter))
  if (!isJsonObject(value)) return value
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, copyWith(field, follow, enter)]),
  )
  const ref = refOf(value)
  if (ref === undefined) return fields
  const { $ref: _ref, ...rest } = fields
  return follow(ref, rest)
}
