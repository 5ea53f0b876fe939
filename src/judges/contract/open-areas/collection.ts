import { isJsonObject } from '../../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import { type Answer, refuse, refuseProblems, reply } from '../../../service/call/answer.ts'
import { clip, quote } from '../../../service/call/echo.ts'
import { absent } from '../../../service/call/mismatch.ts'
import { readQuery } from '../../../service/call/query.ts'
import { type Described, writtenPath } from '../description/described-operation.ts'
import { shapeOf } from '../prism/schema-shape.ts'
import { type AreaRequest, readAreaRequest } from './area-request.ts'
import { fillIn } from './fill-in.ts'
import type { CollectionPlan } from './find-collections.ts'
import { jsonOf, statusOf, successOf } from './prism-mocker.ts'
import { idText, type Table } from './record-table.ts'
import { tableIn } from './record-tables.ts'

/** A call of a collection's operation: where it is in the contract, and what it says. */
interface Asked {
  readonly context: CallContext
  readonly described: Described
  /** The collection's own path: `/v1/toys`. */
  readonly path: string
  /** Of the record that is asked for, as the path has it; empty where it is the collection. */
  readonly id: string
  readonly table: Table
  readonly request: AreaRequest
}

type Act = (asked: Asked, plan: CollectionPlan) => Answer | Promise<Answer>

/** Answers a call of one of a collection's operations. `segments`: those after `/v1`, decoded. */
export async function answerFromCollection(
  plan: CollectionPlan,
  described: Described,
  context: CallContext,
  segments: readonly string[],
): Promise<Answer> {
  const isSingle = described.segments.length > plan.create.segments.length
  const own = segments.slice(0, plan.create.segments.length)
  const path = `/v1/${own.map(encodeURIComponent).join('/')}`
  const id = isSingle ? (segments.at(-1) ?? '') : ''
  const table = tableIn(context, plan, path)
  await table.ready
  // What has not the form of an id is the id of nothing (A13).
  if (isSingle && table.find(id) === undefined) return notFound(context, id)
  const request = await readAreaRequest(context, described.operation, writtenPath(described, segments))
  if ('refusal' in request) return request.refusal
  const act = acts[`${described.method}${isSingle ? ' one' : ''}`]
  if (act === undefined) throw new RangeError(`A collection has no ${described.method}.`)
  return act({ context, described, path, id, table, request }, plan)
}

const acts: Readonly<Partial<Record<string, Act>>> = {
  GET: ({ context, described, table }, plan) => {
    const declared = described.operation.request?.query ?? []
    const pairs = readQuery(context.target.query)
    const filters = declared
      .map(({ name }) => ({
        name,
        values: pairs.filter(pair => pair.name === name).map(({ value }) => value),
      }))
      .filter(({ name, values }) => name !== 'limit' && plan.shape.properties.has(name) && values.length > 0)
    const limit = declared.find(({ name }) => name === 'limit')?.schema?.default
    const asked = pairs.find(({ name }) => name === 'limit')?.value ?? limit
    const isLimited = declared.some(({ name }) => name === 'limit') && asked !== undefined
    const records = table.where(
      record => filters.every(({ name, values }) => values.some(value => equals(record[name], value))),
      isLimited ? Number(asked) : Number.POSITIVE_INFINITY,
    )
    return answerWith(
      described,
      200,
      records.map(record => shown(record, plan)),
    )
  },

  POST: async ({ context, described, path, table, request }, plan) => {
    const { idName } = plan
    const body = fieldsOf(request)
    if (body === undefined) return refuseBody('the body must be a JSON object')
    const own = givesId(plan) ? body[idName] : undefined
    if (own !== undefined && table.has(own))
      return refuseBody(`${idName} ${quote(idText(own))} is taken already`)
    const id = own ?? table.takeId()
    const record = await fillIn(plan, { [idName]: id, ...without(body, idName) }, request.texts, context)
    await table.add(record)
    const location = plan.single.has('GET') ? `${path}/${encodeURIComponent(idText(id))}` : undefined
    return answerWith(
      described,
      201,
      shown(record, plan),
      location === undefined ? {} : { Location: location },
    )
  },

  'GET one': ({ context, described, id, table }, plan) => {
    const record = table.find(id)
    return record === undefined ? notFound(context, id) : answerWith(described, 200, shown(record, plan))
  },

  'PUT one': change((_before, body) => body),
  'PATCH one': change((before, body) => ({ ...before, ...body })),

  'DELETE one': ({ described, id, table }, plan) => {
    const record = table.find(id)
    table.remove(id)
    return answerWith(described, 204, record && shown(record, plan))
  },
}

function change(merge: (before: JsonObject, body: JsonObject) => JsonObject): Act {
  return async ({ context, described, id, table, request }, plan) => {
    const body = fieldsOf(request)
    if (body === undefined) return refuseBody('the body must be a JSON object')
    const before = table.find(id)
    const own = before?.[plan.idName]
    if (before === undefined || own === undefined) return notFound(context, id)
    const fields = { [plan.idName]: own, ...without(merge(before, body), plan.idName) }
    const record = await fillIn(plan, fields, request.texts, context)
    await table.replace(id, record)
    return answerWith(described, 200, shown(record, plan))
  }
}

/** Whether who creates a record names its id: its field is in what is sent, and not only for reading. */
function givesId({ create: { operation }, idName, shape }: CollectionPlan): boolean {
  const sent = shapeOf(operation, jsonOf(operation.request?.body)?.schema)?.properties.get(idName)
  return sent !== undefined && sent.readOnly !== true && shape.properties.get(idName)?.readOnly !== true
}

function fieldsOf({ body }: AreaRequest): JsonObject | undefined {
  return isJsonObject(body) ? body : undefined
}

function without(record: JsonObject, name: string): JsonObject {
  const { [name]: _left, ...rest } = record
  return rest
}

/** A record without what is only written, such as a password. */
function shown(record: JsonObject, { shape }: CollectionPlan): JsonObject {
  const fields = Object.entries(record).filter(([name]) => shape.properties.get(name)?.writeOnly !== true)
  return Object.fromEntries(fields)
}

/** Whether a field has the value that a query names; of a list, whether one of its items has it. */
function equals(field: JsonValue | undefined, text: string | undefined): boolean {
  if (Array.isArray(field)) return field.some(item => equals(item, text))
  return field !== undefined && idText(field) === text
}

/** An answer by the status that the contract has for it; nothing is sent where it describes no body. */
function answerWith(
  { operation }: Described,
  usual: number,
  value: JsonValue | undefined,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const success = successOf(operation)
  const status = statusOf(success, usual)
  const hasBody = value !== undefined && status !== 204 && jsonOf(success) !== undefined
  return reply(status, hasBody ? writeJson(value) : '', headers)
}

function notFound({ target }: CallContext, id: string): Answer {
  return refuse('not_found', `There is nothing at ${clip(target.path)}: no record has the id ${quote(id)}.`)
}

function refuseBody(message: string): Answer {
  return refuseProblems('invalid_body', [{ what: 'body', asked: absent, expected: message, message }])
}
