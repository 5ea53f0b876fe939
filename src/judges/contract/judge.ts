import { isJsonObject } from '../../base/json/is-object.ts'
import { followRefs, valueAt } from '../../base/json/pointer.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import type { Breach } from '../../emulator/journal/exchange.ts'
import { pathSegments, readTarget } from '../../service/call/target.ts'
import { createRouter, templateSegments } from '../../service/operations/routes.ts'
import type { ExchangeTexts } from './prism/exchange-texts.ts'
import { findBreaches, type Operation, readOperations, withNumbers } from './prism/prism.ts'

/** How an exchange compares with the contract. */
export type Judgement = Awaited<ReturnType<typeof judgeBy>>

export type Judge = Readonly<Awaited<ReturnType<typeof createJudge>>>

/**
 * Creates a judge from an OpenAPI document. `whole`: the document with all files that it refers to, which Prism may change.
 * Rejects if Prism cannot read it.
 */
export async function createJudge(document: JsonObject, whole = copyOf(document)) {
  const all = await readOperations(whole)
  // Beside a documented success, `default` documents the errors.
  const forSuccess = all.map(operation =>
    operation.responses.some(({ code }) => code.startsWith('2'))
      ? { ...operation, responses: operation.responses.filter(({ code }) => code !== 'default') }
      : operation,
  )
  const [find, findForSuccess] = [finderOf(all), finderOf(forSuccess)]
  const [anyError] = await readOperations(errorDocument(document))
  return {
    operations: all.map(operation => ({
      id: idOf(operation),
      /** In upper case. */
      method: operation.method.toUpperCase(),
      path: operation.path,
      /** `200`, `4XX`. Without `default`, which stands for the others. */
      statuses: operation.responses.map(({ code }) => code).filter(code => code !== 'default'),
    })),
    /** Judges an exchange without sending it again, in about 0.2 ms. */
    judge: (exchange: ExchangeTexts) =>
      judgeBy(document, (exchange.status < 400 ? findForSuccess : find)(exchange), anyError, exchange),
  }
}

async function judgeBy(
  document: JsonObject,
  found: Operation | undefined,
  anyError: Operation | undefined,
  exchange: ExchangeTexts,
) {
  const { status } = exchange
  const isDocumented = found !== undefined && documents(found, status)
  const place = found ?? { method: exchange.method, path: '' }
  const isOfAssumption = (breach: Breach) => isAssumed(document, place, exchange, breach)
  const ofType = typeBreaches(found, exchange).filter(breach => status === 429 || !isOfAssumption(breach))
  const ownBreaches = (found === undefined ? [] : await findBreaches(found, exchange)).filter(
    // The service should reject a request that breaks the contract. A redirect that no operation documents accepts nothing.
    ({ side }) => status < 300 || (isDocumented && (side === 'response' || status < 400)),
  )
  const isUndocumented = !isDocumented && status >= 400
  const toAnyError = { ...exchange, method: 'GET', target: '/', requestHeaders: {}, requestBody: undefined }
  const ofError = isUndocumented && anyError ? await findBreaches(anyError, toAnyError) : []
  const breaches = [...ownBreaches, ...ofType, ...ofError]
  return {
    /** The operation's id; undefined if no operation has this path and method. */
    operation: found && idOf(found),
    /** Whether the operation documents this status. If not, only the body of an error is judged. */
    isDocumented,
    /** Whether it is an error that the operation does not name: `default` names none. */
    isOtherError: status >= 400 && found?.responses.every(({ code }) => code !== `${status}`) !== false,
    breaches: breaches as readonly Breach[],
    /** The breaches of what the contract only assumes. */
    assumed: new Set(breaches.filter(isOfAssumption)),
    /** Whether the contract only assumes the shape of this body, or does not document it. */
    isBodyAssumed: isOfAssumption({ side: 'response', part: 'body', place: '', message: '' }),
  }
}

/** Finds the operation of an exchange: of those with its method, the one with the most literal path. */
function finderOf(operations: readonly Operation[]) {
  const route = createRouter(operations.map(one => [templateSegments(one.path), one]))
  return ({ method, target }: ExchangeTexts): Operation | undefined =>
    route(pathSegments(readTarget(target).path) ?? []).find(one => one.method.toUpperCase() === method)
}

/** One operation that answers every status with `Error`: the contract for statuses that no operation documents. */
function errorDocument({ components }: JsonObject): object {
  const known = isJsonObject(components) ? components.schemas : undefined
  const schemas = isJsonObject(known) && known.Error !== undefined ? known : undefined
  const schema = { $ref: '#/components/schemas/Error' }
  const response = { description: 'An error.', content: { 'application/json': { schema } } }
  return copyOf({
    openapi: '3.1.0',
    info: { title: 'Errors', version: '1' },
    paths: schemas ? { '/': { get: { operationId: 'anyError', responses: { default: response } } } } : {},
    ...(schemas && { components: { schemas } }),
  })
}

/** A copy that Prism may change. */
function copyOf(document: JsonObject): object {
  return Object(withNumbers(document, Number))
}

function idOf({ iid, method, path }: Operation): string {
  return iid ?? `${method.toUpperCase()} ${path}`
}

/** Prism takes other types that end in `+json` for the documented `application/json`. */
function typeBreaches(operation: Operation | undefined, exchange: ExchangeTexts): readonly Breach[] {
  const { status, headers, body } = exchange
  const type = headers['content-type'] ?? ''
  const response = operation?.responses.find(({ code }) => code === `${status}`)
  const types = response?.contents?.map(({ mediaType }) => mediaType) ?? []
  if (body === undefined || !/\+json\b/i.test(type) || `${types}` !== 'application/json') return []
  const message = `Content-Type is ${type}, not application/json`
  return [{ side: 'response', part: 'media type', place: '', message }]
}

function documents({ responses }: Operation, status: number): boolean {
  return responses.some(
    ({ code }) => code === 'default' || new RegExp(`^${code.replaceAll('X', '\\d')}$`).test(`${status}`),
  )
}

/**
 * Whether a description only assumes what a breach is about. The mark is `x-assumption` at an operation, at the schema of a
 * body, at a header, or at a header's schema for its format. Keys, limits and their errors hold for every operation, so a mark at an
 * operation is about its successes, without their headers. What a description does not document is assumed, too.
 */
export function isAssumed(
  document: JsonObject,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  { status, headers }: Pick<ExchangeTexts, 'status' | 'headers'>,
  { part, place }: Breach,
): boolean {
  // A part of another file has no marks.
  const at = (node: JsonObject | undefined, name: string): JsonObject | undefined => {
    const value = node && valueAt(node, [name])
    const target = followRefs(document, value) ?? value
    return isJsonObject(target) ? target : undefined
  }
  const operation = at(at(at(document, 'paths'), path), method.toLowerCase())
  if (operation === undefined) return path === '' && status >= 400
  if (isMarked(operation) && status < 400 && part !== 'header') return true
  const responses = at(operation, 'responses')
  const own = at(responses, `${status}`) ?? at(responses, `${Math.floor(status / 100)}XX`)
  const response = own ?? (status < 400 ? undefined : at(responses, 'default'))
  if (response === undefined) return status >= 400
  if (own === undefined && isMarked(response)) return true
  if (part === 'header') {
    const documented: JsonObject = at(response, 'headers') ?? {}
    const name = Object.keys(documented).find(name => name.toLowerCase() === place.toLowerCase())
    const header = name === undefined ? undefined : at(documented, name)
    return isMarked(header) || (headers[place.toLowerCase()] !== undefined && isMarked(at(header, 'schema')))
  }
  // A mark next to a $ref holds for this body alone.
  return part !== 'status' && isMarked(at(at(response, 'content'), 'application/json')?.schema)
}

function isMarked(node: JsonValue | undefined): boolean {
  return isJsonObject(node) && node['x-assumption'] !== undefined
}
