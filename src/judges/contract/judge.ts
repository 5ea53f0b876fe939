import { isJsonObject } from '../../base/json/is-object.ts'
import type { JsonObject } from '../../base/json/value.ts'
import type { Breach } from '../../emulator/journal/exchange.ts'
import { isAssumed } from './assumed-parts.ts'
import type { ExchangeTexts } from './prism/exchange-texts.ts'
import { findBreaches, type Operation, readOperations } from './prism/prism.ts'
import { withNumbers } from './prism/stand-ins.ts'

/** How an exchange compares with the contract. */
interface Judgement {
  /** The operation's id; undefined if no operation has this path and method. */
  readonly operation: string | undefined
  /** Whether the operation documents this status. If not, only the body of an error is judged. */
  readonly isDocumented: boolean
  readonly breaches: readonly Breach[]
  /** The breaches of what the contract only assumes. */
  readonly assumed: ReadonlySet<Breach>
  /** Whether the contract only assumes the shape of this body, or does not document it. */
  readonly isBodyAssumed: boolean
}

/** An operation of the contract. */
export interface ContractOperation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  /** `200`, `4XX`. Without `default`, which stands for the others. */
  readonly statuses: readonly string[]
}

export interface Judge {
  readonly operations: readonly ContractOperation[]
  /** Judges an exchange without sending it again, in about 0.2 ms. */
  readonly judge: (exchange: ExchangeTexts) => Promise<Judgement>
}

/**
 * Creates a judge from an OpenAPI document. `whole`: the document with all files that it refers to, which Prism may change.
 * Rejects if Prism cannot read it.
 */
export async function createJudge(document: JsonObject, whole = copyOf(document)): Promise<Judge> {
  const all = await readOperations(whole)
  // Beside a documented success, `default` documents the errors.
  const forSuccess = all.map(operation =>
    operation.responses.some(({ code }) => code.startsWith('2'))
      ? { ...operation, responses: operation.responses.filter(({ code }) => code !== 'default') }
      : operation,
  )
  const [anyError] = await readOperations(errorDocument(document))
  return {
    operations: all.map(operation => ({
      id: idOf(operation),
      method: operation.method.toUpperCase(),
      path: operation.path,
      statuses: operation.responses.map(({ code }) => code).filter(code => code !== 'default'),
    })),
    judge: exchange => judgeBy(document, exchange.status < 400 ? forSuccess : all, anyError, exchange),
  }
}

async function judgeBy(
  document: JsonObject,
  operations: readonly Operation[],
  anyError: Operation | undefined,
  exchange: ExchangeTexts,
): Promise<Judgement> {
  const { status } = exchange
  const found = await findBreaches(operations, exchange)
  const isDocumented = found !== undefined && documents(found.operation, status)
  const ownBreaches = (found?.breaches ?? []).filter(
    // The service should reject a request that breaks the contract.
    ({ side }) => (side === 'request' ? status < 400 : isDocumented || status < 300),
  )
  const isOtherError = !isDocumented && status >= 400
  const toAnyError = { ...exchange, method: 'GET', target: '/', requestHeaders: {}, requestBody: undefined }
  const error = isOtherError && anyError && (await findBreaches([anyError], toAnyError))
  const breaches = error ? [...ownBreaches, ...error.breaches] : ownBreaches
  const { method = exchange.method, path = '' } = found?.operation ?? {}
  const isOfAssumption = (breach: Breach) =>
    isAssumed(document, { method, path, status, headers: exchange.headers }, breach)
  return {
    operation: found && idOf(found.operation),
    isDocumented,
    breaches,
    assumed: new Set(breaches.filter(isOfAssumption)),
    isBodyAssumed: isOfAssumption({ side: 'response', part: 'body', place: '', message: '' }),
  }
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

function documents({ responses }: Operation, status: number): boolean {
  return responses.some(
    ({ code }) => code === 'default' || new RegExp(`^${code.replaceAll('X', '\\d')}$`).test(`${status}`),
  )
}
