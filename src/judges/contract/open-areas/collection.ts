import { isJsonObject } from '../../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import { type Answer, absent, refuse, refuseProblems, reply } from '../../../service/call/answer.ts'
import { clip, quote } from '../../../service/call/echo.ts'
import { readQuery } from '../../../service/call/query.ts'
import type { ExchangeTexts } from '../prism/exchange-texts.ts'
import { readAreaRequest } from './area-request.ts'
import type { Described } from './described-operation.ts'
import { fillIn, seedOf } from './fill-in.ts'
import type { CollectionPlan } from './find-collections.ts'
import { objectShape } from './object-shape.ts'
import { missingParent, parentFields, pathOf } from './parents.ts'
import { jsonOf, mockReply, statusOf, successOf } from './prism-mocker.ts'
import { idText, type Table } from './record-table.ts'
import { tableIn } from './record-tables.ts'

/** A valid call of one of a collection's operations. */
interface CollectionCall {
  readonly plan: CollectionPlan
  readonly described: Described
  readonly context: CallContext
  readonly table: Table
  /** The path of the collection: `/v1/toys`. */
  readonly path: string
  /** The id in the path; empty for a call of the whole collection. */
  readonly id: string
  readonly texts: ExchangeTexts
  /** Empty for an operation without a body. */
  readonly body: JsonObject
}

type Act = (call: CollectionCall) => Answer | Promise<Answer>

/** Answers a call of one of a collection's operations. `plans`: all collections. `segments` are decoded and follow `/v1`. */
export async function answerFromCollection(
  plan: CollectionPlan,
  plans: readonly CollectionPlan[],
  described: Described,
  context: CallContext,
  segments: readonly string[],
): Promise<Answer> {
  const { length } = plan.create.segments
  const isSingle = described.segments.length > length
  const path = pathOf(plan, segments)
  const parents = parentFields(plan, segments)
  const id = isSingle ? (segments.at(-1) ?? '') : ''
  const missing = await missingParent(plan, plans, context, segments)
  if (missing !== undefined) return notFound(context, missing)
  const table = tableIn(context, plan, path, parents)
  await table.ready
  // A malformed id gets the same 404 as an unknown one (A13).
  if (isSingle && table.find(id) === undefined) return notFound(context, id)
  const request = await readAreaRequest(context, described, segments)
  if ('refusal' in request) return request.refusal
  const body = isJsonObject(request.body) ? request.body : undefined
  if (body === undefined && ['POST', 'PUT', 'PATCH'].includes(described.method))
    return refuseBody('the body must be a JSON object')
  const act = acts[`${described.method}${isSingle ? ' one' : ''}`]
  if (act === undefined) throw new RangeError(`A collection has no ${described.method}.`)
  return act({
    plan,
    described,
    context,
    table,
    path,
    id,
    texts: request.texts,
    body: { ...body, ...parents },
  })
}

const acts: Readonly<Partial<Record<string, Act>>> = {
  GET: call => {
    const { plan, described, context, table } = call
    const declared = described.operation.request?.query ?? []
    const pairs = readQuery(context.target.query)
    const limit = declared.find(({ name }) => name === 'limit')
    const asked = limit && (pairs.find(({ name }) => name === 'limit')?.value ?? limit.schema?.default)
    const filters = declared
      .filter(({ name }) => name !== 'limit' && plan.shape.properties.has(name))
      .map(({ name }) => ({ name, asked: pairs.filter(pair => pair.name === name) }))
      .filter(({ asked }) => asked.length > 0)
    const fits = (record: JsonObject) =>
      filters.every(({ name, asked }) => asked.some(({ value }) => equals(record[name], value)))
    const records = table.where(fits, asked === undefined ? Number.POSITIVE_INFINITY : Number(asked))
    const shown = records.map(record => visible(record, plan))
    if (plan.envelope === undefined) return success(call, 200, shown)
    const total = table.where(fits, Number.POSITIVE_INFINITY).length
    return envelope(call, plan.envelope, shown, total).then(value => success(call, 200, value))
  },

  POST: async call => {
    const { plan, context, table, path, texts, body } = call
    const { idName } = plan
    const own = plan.clientSetsId ? body[idName] : undefined
    if (own !== undefined && table.has(own))
      return refuseBody(`${idName} ${quote(idText(own))} is already taken`)
    const id = own ?? table.takeId()
    const record = await fillIn(plan, { [idName]: id, ...without(body, idName) }, texts, context)
    await table.add(record)
    const location = { Location: `${path}/${encodeURIComponent(idText(id))}` }
    return success(call, 201, visible(record, plan), plan.single.has('GET') ? location : {})
  },

  'GET one': call => {
    const record = call.table.find(call.id)
    return record ? success(call, 200, visible(record, call.plan)) : notFound(call.context, call.id)
  },

  'PUT one': call => replace(call, () => call.body),
  'PATCH one': call => replace(call, before => ({ ...before, ...call.body })),

  'DELETE one': call => {
    const record = call.table.find(call.id)
    call.table.remove(call.id)
    return success(call, 204, record && visible(record, call.plan))
  },
}

/** The required fields beside the records are generated, and a total is counted. */
async function envelope(
  { described: { operation }, context, texts }: CallToList,
  name: string,
  records: readonly JsonObject[],
  total: number,
): Promise<JsonObject> {
  const shape = objectShape(operation, jsonOf(successOf(operation))?.schema)
  const { body } = await mockReply(operation, texts, seedOf(context.world.scenario.seed, texts))
  const fields = Object.entries(isJsonObject(body) ? body : {}).filter(([field]) =>
    shape?.required.has(field),
  )
  const counts = [...(shape?.properties.keys() ?? [])].filter(field =>
    /^total(?:_?count|_?items)?$/i.test(field),
  )
  return {
    [name]: records,
    ...Object.fromEntries(fields.filter(([field]) => field !== name)),
    ...Object.fromEntries(counts.map(field => [field, total])),
  }
}

type CallToList = Pick<CollectionCall, 'described' | 'context' | 'texts'>

async function replace(call: CollectionCall, merge: (before: JsonObject) => JsonObject): Promise<Answer> {
  const { plan, context, table, id, texts } = call
  const before = table.find(id)
  const own = before?.[plan.idName]
  if (before === undefined || own === undefined) return notFound(context, id)
  const fields = { [plan.idName]: own, ...without(merge(before), plan.idName) }
  const record = await fillIn(plan, fields, texts, context)
  await table.replace(id, record)
  return success(call, 200, visible(record, plan))
}

function without(record: JsonObject, name: string): JsonObject {
  const { [name]: _left, ...rest } = record
  return rest
}

/** A record without its write-only fields, such as a password. */
function visible(record: JsonObject, { shape }: CollectionPlan): JsonObject {
  const fields = Object.entries(record).filter(([name]) => shape.properties.get(name)?.writeOnly !== true)
  return Object.fromEntries(fields)
}

/** Whether a field, or one item of a list, has the value that a query asks for. */
function equals(field: JsonValue | undefined, text: string | undefined): boolean {
  if (Array.isArray(field)) return field.some(item => equals(item, text))
  return field !== undefined && idText(field) === text
}

/** Answers with the success status of the contract, and with a body if the contract describes one. */
function success(
  { described: { operation } }: CollectionCall,
  usual: number,
  value: JsonValue | undefined,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const response = successOf(operation)
  const status = statusOf(response, usual)
  const hasBody = value !== undefined && status !== 204 && jsonOf(response) !== undefined
  return reply(status, hasBody ? writeJson(value) : '', headers)
}

function notFound({ target }: CallContext, id: string): Answer {
  return refuse('not_found', `There is nothing at ${clip(target.path)}: no record has the id ${quote(id)}.`)
}

function refuseBody(message: string): Answer {
  return refuseProblems('invalid_body', [{ what: 'body', asked: absent, expected: message, message }])
}
