import { isJsonObject, objectOf } from '../../../base/json/is-object.ts'
import { joinSchema } from '../../../base/json/schema.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import { type Answer, absent, refuse, refuseProblems, reply } from '../../../service/call/answer.ts'
import { clip, quote } from '../../../service/call/echo.ts'
import { readJsonBody } from '../../../service/call/json-body.ts'
import { readQuery } from '../../../service/call/target.ts'
import { bodyText, byName } from '../../exchanges/texts.ts'
import { jsonOf, mockReply, seedOf } from '../prism/examples.ts'
import type { ExchangeTexts } from '../prism/exchange-texts.ts'
import { findBreaches } from '../prism/prism.ts'
import { answerShape, type CollectionPlan, type Described, envelopedShape } from './find-collections.ts'
import { schemaIn, successIn } from './lazy-operation.ts'
import { idText, type Table, tableIn } from './records.ts'

/** A valid call of one of a collection's operations. */
interface CollectionCall {
  readonly plan: CollectionPlan
  readonly described: Described
  readonly context: CallContext
  readonly table: Table
  /** The id in the path; empty for a call of the whole collection. */
  readonly id: string
  readonly texts: ExchangeTexts
  /** Empty for an operation without a body. */
  readonly body: JsonObject
}

/** Answers a call of one of a collection's operations. `segments` are decoded and follow `/v1`. */
export async function answerFromCollection(
  plan: CollectionPlan,
  described: Described,
  context: CallContext,
  segments: readonly string[],
): Promise<Answer> {
  const isSingle = plan.single.get(described.method) === described
  const id = isSingle ? (segments[plan.path.split('/').length - 2] ?? '') : ''
  const table = tableIn(context, plan, await plan.list?.operation.read())
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
  return act({ plan, described, context, table, id, texts: request.texts, body: body ?? {} })
}

/** Validates a request against the contract and reads a JSON body. A refusal has the form of other refusals (A12, A16). */
export async function readAreaRequest(
  { call, target }: CallContext,
  { operation: described, path, fullPath }: Described,
  segments: readonly string[],
): Promise<{ texts: ExchangeTexts; body: JsonValue | undefined } | { refusal: Answer }> {
  const operation = await described.read()
  const expected = operation.request?.body
  const called = `${path === fullPath ? '/v1' : ''}/${segments.map(encodeURIComponent).join('/')}`
  const texts = {
    method: call.method === 'HEAD' ? 'GET' : call.method,
    target: target.query === '' ? called : `${called}?${target.query}`,
    requestHeaders: byName(call.headers),
    // An operation without a body ignores one.
    requestBody: expected === undefined ? undefined : bodyText(call.body),
    status: 200,
    headers: {},
    body: undefined,
  }
  const hasBody = call.body !== undefined && call.body.length > 0
  const read = jsonOf(expected) && (hasBody || expected?.required) ? readJsonBody(call) : undefined
  if (read !== undefined && 'refusal' in read) return read
  const found = await findBreaches(operation, texts, 'request')
  const breaches = found.filter(({ part }) => part !== 'security')
  if (breaches.length === 0) return { texts, body: read?.value }
  const isAboutBody = breaches.some(({ part }) => ['body', 'status', 'media type'].includes(part))
  const problems = breaches.map(({ part, place, message }) => problemOf(place || part, message))
  return { refusal: refuseProblems(isAboutBody ? 'invalid_body' : 'invalid_parameter', problems) }
}

const acts: Readonly<Partial<Record<string, (call: CollectionCall) => Answer | Promise<Answer>>>> = {
  GET: call => {
    const { plan, described, context, table } = call
    const declared = described.operation.parameters.filter(({ in: place }) => place === 'query')
    const pairs = readQuery(context.target.query)
    const limit = declared.find(({ name }) => name === 'limit')
    const usual = limit && joinSchema(described.operation.root, limit.schema).default
    const asked = limit && (pairs.find(({ name }) => name === 'limit')?.value ?? usual)
    const filters = declared
      .map(({ name }) => `${name}`)
      .filter(name => name !== 'limit' && plan.shape.properties.has(name))
      .map(name => ({ name, asked: pairs.filter(pair => pair.name === name) }))
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
    const { plan, table, body } = call
    const { idName } = plan
    const own = plan.clientSetsId ? body[idName] : undefined
    if (own !== undefined && table.has(own))
      return refuseBody(`${idName} ${quote(idText(own))} is already taken`)
    const id = own ?? table.takeId()
    const record = await fillIn(call, { [idName]: id, ...without(body, idName) })
    await table.add(record)
    const reading = plan.single.get('GET')
    const end = reading?.segments.at(-1) === '' ? '/' : ''
    const location = { Location: `${plan.path}/${encodeURIComponent(idText(id))}${end}` }
    return success(call, 201, visible(record, plan), reading === undefined ? {} : location)
  },

  'GET one': call => {
    const record = call.table.find(call.id)
    return record ? success(call, 200, visible(record, call.plan)) : notFound(call.context, call.id)
  },

  'PUT one': call => replace(call, call.body),
  'PATCH one': call => replace(call, { ...call.table.find(call.id), ...call.body }),

  'DELETE one': call => {
    const record = call.table.find(call.id)
    call.table.remove(call.id)
    return success(call, 204, record && visible(record, call.plan))
  },
}

/** The required fields beside the records are generated, and a total is counted. */
async function envelope(
  { described, context, texts }: CollectionCall,
  name: string,
  records: readonly JsonObject[],
  total: number,
): Promise<JsonObject> {
  const { properties = new Map(), required = [] } = answerShape(described) ?? {}
  const others = required.filter(field => field !== name)
  const generated = others.length === 0 ? {} : await generate(described, texts, context)
  const own = Object.entries(generated).filter(([field]) => others.includes(field))
  const counts = [...properties.keys()].filter(field => /^total(?:_?count|_?items)?$/i.test(field))
  return { [name]: records, ...Object.fromEntries([...own, ...counts.map(field => [field, total])]) }
}

/** The object that Prism makes of the schema of a response; empty if that is none. */
async function generate(described: Described, texts: ExchangeTexts, { world }: CallContext) {
  const operation = await described.operation.read()
  const { body } = await mockReply(operation, texts, seedOf(world.scenario.seed, texts))
  return objectOf(body)
}

async function replace(call: CollectionCall, fields: JsonObject): Promise<Answer> {
  const { plan, context, table, id } = call
  const own = table.find(id)?.[plan.idName]
  if (own === undefined) return notFound(context, id)
  const record = await fillIn(call, { [plan.idName]: own, ...without(fields, plan.idName) })
  await table.replace(id, record)
  return success(call, 200, visible(record, plan))
}

/**
 * Adds the properties that the service would add to a record: defaults, and required properties that the client did not
 * send. An instant becomes the emulator's time; Prism's mocker generates all others.
 */
async function fillIn(
  { plan: { create, shape, envelope }, texts, context }: CollectionCall,
  record: JsonObject,
): Promise<JsonObject> {
  const filled: Record<string, JsonValue> = { ...record }
  for (const [name, schema] of shape.properties) {
    if (name in filled) continue
    if (schema.default !== undefined) filled[name] = schema.default
    else if (shape.required.includes(name) && schema.format === 'date-time')
      filled[name] = formatInstant(context.at)
  }
  const missing = shape.required.filter(name => !(name in filled))
  if (missing.length === 0) return filled
  const whole = await generate(create, texts, context)
  const generated = envelopedShape(create, envelope) === undefined ? whole : objectOf(whole[envelope ?? ''])
  for (const name of missing) {
    const value = generated[name]
    if (value !== undefined) filled[name] = value
  }
  return filled
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
  { described, plan: { envelope } }: CollectionCall,
  usual: number,
  value: JsonValue | undefined,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { operation } = described
  const { code = '', response } = successIn(operation) ?? {}
  const isEnveloped = envelope !== undefined && envelopedShape(described, envelope) !== undefined
  const status = /^2\d\d$/.test(code) ? Number(code) : usual
  const hasBody = value !== undefined && status !== 204 && schemaIn(operation, response) !== undefined
  return reply(status, hasBody ? writeJson(isEnveloped ? { [envelope]: value } : value) : '', headers)
}

function notFound({ target }: CallContext, id: string): Answer {
  return refuse('not_found', `There is nothing at ${clip(target.path)}: no record has the id ${quote(id)}.`)
}

function refuseBody(message: string): Answer {
  return refuseProblems('invalid_body', [problemOf('body', message)])
}

function problemOf(what: string, message: string) {
  return { what, asked: absent, expected: message, message }
}
