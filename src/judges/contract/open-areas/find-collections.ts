import { objectOf } from '../../../base/json/is-object.ts'
import { joinSchema } from '../../../base/json/schema.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { isEmulated, parameter, templateSegments, withoutBase } from '../../../service/operations/routes.ts'
import { exactly } from '../prism/for-prism.ts'
import { type LazyOperation, schemaIn, successIn } from './lazy-operation.ts'

/** An operation of a user's contract, and where pet-mock serves it. */
export type Described = NonNullable<ReturnType<typeof describeOperation>>

/** The other methods get the same answer on every path (A18). */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Undefined for an operation that pet-mock does not serve. */
export function describeOperation(operation: LazyOperation) {
  const { path, fields } = operation
  const method = operation.method.toUpperCase()
  if (!methods.has(method)) return undefined
  const fullPath = `/v1${withoutBase(path)}`
  const segments = templateSegments(withoutBase(path))
  return {
    id: typeof fields.operationId === 'string' ? fields.operationId : `${method} ${fullPath}`,
    stability: (['experimental', 'beta'] as const).find(known => known === fields['x-stability']),
    /** In upper case. */
    method,
    /** As the contract writes it. */
    path,
    /** The path below `/v1`, whatever the servers of the contract are. */
    fullPath,
    /** The segments of `fullPath` after `/v1`; a parameter is `{}`. */
    segments,
    isEmulated: isEmulated(segments, method),
    operation,
  }
}

type ObjectShape = NonNullable<ReturnType<typeof shapeOf>>

/** Operations of a contract that form a collection: one creates records, others read and change them. */
export type CollectionPlan = ReturnType<typeof findCollections>[number]

/** Finds collections. Skips paths that pet-mock emulates, and collections below another record. */
export function findCollections(operations: readonly Described[]) {
  const at = (segments: readonly string[], method: string) =>
    operations.find(other => other.method === method && other.segments.join('/') === segments.join('/'))
  return operations.flatMap(create => {
    const { method, segments, operation } = create
    // Some descriptions end their paths with a slash.
    const base = segments.at(-1) === '' ? segments.slice(0, -1) : segments
    if (method !== 'POST' || create.isEmulated || base.length === 0) return []
    if (base.some(segment => segment.includes(parameter))) return []
    const reading = at(segments, 'GET')
    /** The property of the list's answer that holds the records; undefined: the answer is a plain list. */
    const envelope = reading && answerShape(reading)?.envelope
    const shape = envelopedShape(create, envelope) ?? answerShape(create)
    const sent = shapeOf(operation, schemaIn(operation, operation.fields.requestBody))
    if (shape === undefined || sent === undefined) return []
    const isList = reading && isListOfObjects(operation.root, answerSchema(reading))
    const list = envelope !== undefined || isList ? reading : undefined
    const single = new Map(
      ['GET', 'PUT', 'PATCH', 'DELETE'].flatMap(method => {
        const found = at([...base, parameter, ''], method) ?? at([...base, parameter], method)
        return found === undefined || found.isEmulated ? [] : [[method, found] as const]
      }),
    )
    const idName = idNameOf(shape, single)
    if (idName === undefined || (list === undefined && !single.has('GET'))) return []
    const isWritable = ({ properties }: ObjectShape) => properties.get(idName)?.readOnly !== true
    /** Whether the client may choose the id of a new record. */
    const clientSetsId = sent.properties.has(idName) && isWritable(sent) && isWritable(shape)
    /** The path of the collection: `/v1/toys`. */
    const path = `/v1/${base.map(encodeURIComponent).join('/')}`
    return [{ path, idName, clientSetsId, shape, create, list, envelope, single }]
  })
}

/** The property that is named like the path parameter (`item_id` for `itemId`), or `id`, `uuid` or `_id`. */
function idNameOf({ properties }: ObjectShape, single: ReadonlyMap<string, Described>): string | undefined {
  const [one] = single.values()
  const name = /\{([^{}]*)\}\/?$/.exec(one?.path ?? '')?.[1] ?? ''
  const plain = (text: string) => text.replace(/[-_]/g, '').toLowerCase()
  const like = (key: string) => name !== '' && plain(key) === plain(name)
  const names = [...properties.keys()]
  return [name, names.find(like), 'id', 'uuid', '_id'].find(key => key !== undefined && properties.has(key))
}

/** The shape of the success response; undefined for anything but objects. */
export function answerShape({ operation }: Described): ObjectShape | undefined {
  return shapeOf(operation, schemaIn(operation, successIn(operation)?.response))
}

/** The shape of the object in an envelope, `{ data: {…} }`, of the name that the list has; undefined if there is none. */
export function envelopedShape(described: Described, envelope: string | undefined): ObjectShape | undefined {
  if (envelope === undefined) return undefined
  return shapeOf(described.operation, objectOf(answerSchema(described).properties)[envelope])
}

function answerSchema({ operation }: Described): JsonObject {
  return joinSchema(operation.root, schemaIn(operation, successIn(operation)?.response))
}

function shapeOf({ root }: LazyOperation, schema: JsonValue | undefined) {
  const whole = joinSchema(root, schema)
  if (!isOfObjects(whole)) return undefined
  const declared = Object.entries(objectOf(whole.properties))
  const shown = (property: JsonValue) => objectOf(exactly(joinSchema(root, property)))
  const properties = new Map(declared.map(([name, property]) => [name, shown(property)]))
  const lists = [...properties].filter(([, property]) => isListOfObjects(root, property))
  return {
    properties,
    required: [whole.required].flat().filter(name => typeof name === 'string'),
    /** The only property with a list of objects, as in an envelope such as `{ data: […], total: 2 }`. */
    envelope: lists.length === 1 ? lists[0]?.[0] : undefined,
  }
}

function isListOfObjects(root: JsonObject, { type, items }: JsonObject): boolean {
  return [type].flat().includes('array') && isOfObjects(joinSchema(root, items))
}

function isOfObjects({ type, properties }: JsonObject): boolean {
  const hasProperties = Object.keys(objectOf(properties)).length > 0
  return [type].flat().includes('object') || (type === undefined && hasProperties)
}
