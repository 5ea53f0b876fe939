import type { JsonObject } from '../../base/json/value.ts'
import type { ContractOperation, Judgement } from './judgement.ts'
import type { ExchangeTexts } from './prism/exchange-texts.ts'
import { findBreaches, type Operation, readOperations } from './prism/prism.ts'
import { plain } from './prism/stand-ins.ts'

export interface Judge {
  readonly operations: readonly ContractOperation[]
  /** What the contract says of an exchange, which is not sent again. About 0.2 ms of work. */
  readonly judge: (exchange: ExchangeTexts) => Promise<Judgement>
}

/**
 * A judge by an OpenAPI document. `path`: the file that it is from, if it is from one, since it may refer to others.
 * Rejects when Prism cannot read it.
 */
export async function createJudge(document: JsonObject, path?: string): Promise<Judge> {
  const operations = await readOperations(path ?? copyOf(document))
  const [anyError] = await readOperations(errorDocument(document))
  return {
    operations: operations.map(tell),
    judge: exchange => judgeBy(operations, anyError, exchange),
  }
}

async function judgeBy(
  operations: readonly Operation[],
  anyError: Operation | undefined,
  exchange: ExchangeTexts,
): Promise<Judgement> {
  const { status } = exchange
  const found = await findBreaches(operations, exchange)
  const isDocumented = found !== undefined && documents(found.operation, status)
  const breaches = (found?.breaches ?? []).filter(
    // A request that breaks the contract and is refused is how it should be.
    ({ side }) => (side === 'request' ? status < 400 : isDocumented || status < 300),
  )
  const isOtherError = !isDocumented && status >= 400
  const error = isOtherError && anyError && (await findBreaches([anyError], toAnyError(exchange)))
  return {
    operation: found && idOf(found.operation),
    isDocumented,
    breaches: error ? [...breaches, ...error.breaches] : breaches,
  }
}

/**
 * Statuses that no operation documents are judged by the schema `Error` alone: by a document whose only operation
 * answers with that, whatever the status.
 */
function errorDocument({ components }: JsonObject): object {
  const schemas = fieldOf(components, 'schemas')
  if (fieldOf(schemas, 'Error') === undefined) return copyOf({ ...emptyDocument, paths: {} })
  return copyOf({
    ...emptyDocument,
    components: { schemas: schemas ?? {} },
    paths: {
      '/': {
        get: {
          operationId: 'anyError',
          responses: {
            default: {
              description: 'An error.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
            },
          },
        },
      },
    },
  })
}

const emptyDocument: JsonObject = { openapi: '3.1.0', info: { title: 'Errors', version: '1' } }

function toAnyError(exchange: ExchangeTexts): ExchangeTexts {
  return { ...exchange, method: 'GET', target: '/', requestHeaders: {}, requestBody: undefined }
}

function fieldOf(value: unknown, name: string): JsonObject[string] | undefined {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined
  return (value as JsonObject)[name]
}

/** A copy that may be changed, with numbers where a limit is beyond 2^53. */
function copyOf(document: JsonObject): object {
  return plain(document, Number) as object
}

function idOf({ iid, method, path }: Operation): string {
  return iid ?? `${method.toUpperCase()} ${path}`
}

function tell(operation: Operation): ContractOperation {
  const { method, path, responses, deprecated } = operation
  return {
    id: idOf(operation),
    method: method.toUpperCase(),
    path,
    statuses: responses.map(({ code }) => code),
    isDeprecated: deprecated === true,
  }
}

function documents({ responses }: Operation, status: number): boolean {
  return responses.some(
    ({ code }) => code === 'default' || new RegExp(`^${code.replaceAll('X', '\\d')}$`).test(`${status}`),
  )
}
