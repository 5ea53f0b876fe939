import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import type { Breach } from '../../../emulator/journal/exchange.ts'
import type { ExchangeTexts } from './exchange-texts.ts'
import { readForPrism, standInText } from './stand-ins.ts'

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]

export interface Operation extends PrismOperation {
  /** Variants of its lists of headers, by list and by the headers that are absent. */
  readonly untyped?: Map<readonly Header[], Map<string, Header[]>>
}

type Config = Parameters<typeof createInstance>[0]
type Logger = Parameters<typeof createInstance>[1]['logger']
type Request = Parameters<ReturnType<typeof createInstance>['request']>[0]

export const config: Config = {
  isProxy: false,
  mock: { dynamic: false },
  validateRequest: true,
  validateResponse: true,
  checkSecurity: true,
  errors: false,
  upstreamProxy: undefined,
}
const ignore = () => {}
const levels = { info: ignore, warn: ignore, error: ignore, debug: ignore, trace: ignore, success: ignore }
// Prism expects a pino logger and uses only these methods. Its diagnostics say everything that it would log.
export const logger = { ...levels, child: () => logger } as unknown as Logger

/** The operations of an OpenAPI document, which this changes. Rejects if Prism cannot read it. */
export async function readOperations(document: object): Promise<readonly Operation[]> {
  // Prism's resolver of references calls `url.resolve`, and Node 24 prints a deprecation warning for that.
  const { process = {} } = globalThis as { readonly process?: { noDeprecation?: boolean } }
  const { noDeprecation = false } = process
  process.noDeprecation = true
  let reading: ReturnType<typeof getHttpOperationsFromSpec>
  try {
    reading = getHttpOperationsFromSpec(document)
  } finally {
    process.noDeprecation = noDeprecation
  }
  return (await reading).map(operation => ({ ...operation, untyped: new Map() }))
}

/**
 * The breaches that Prism finds in an exchange. Its mocker is replaced by one that returns the actual response, so nothing
 * is sent again. Undefined if no operation has this path and method.
 */
export async function findBreaches(
  operations: readonly Operation[],
  exchange: ExchangeTexts,
): Promise<{ readonly operation: Operation; readonly breaches: readonly Breach[] } | undefined> {
  const { status, headers } = exchange
  const body = readBody(exchange.body, headers['content-type'])
  let operation: Operation | undefined
  const prism = createInstance(config, {
    logger,
    mock: ({ resource }) => {
      operation = resource
      const right = { statusCode: status, headers: headersFor(headers), body: body.value }
      return () => ({ _tag: 'Right', right })
    },
  })
  const request = requestOf(exchange)
  const readable = operations.map(one => withoutAbsentTypes(one, request.headers, headers))
  const outcome = await prism.request(request, readable, config)()
  if (outcome._tag === 'Left' || operation === undefined) return undefined
  const { input, output } = outcome.right.validations
  const breaches = [
    ...input.filter(isError).map(diagnostic => breachOf('request', diagnostic)),
    ...output.filter(isError).map(diagnostic => breachOf('response', diagnostic)),
  ]
  if (body.problem === undefined) return { operation, breaches }
  const message = `Response body is not JSON: ${body.problem}`
  const others = breaches.filter(({ side, part }) => side === 'request' || part !== 'body')
  return { operation, breaches: [...others, { side: 'response', part: 'body', place: '', message }] }
}

type Header = NonNullable<PrismOperation['responses'][number]['headers']>[number]
type Headers = Readonly<Record<string, string>>

/** Prism throws on an absent header whose schema is a list or a map. Without the schema, it still reports a missing required header. */
function withoutAbsentTypes(operation: Operation, sent: Headers = {}, received: Headers = {}): Operation {
  const untype = (headers: Header[] = [], present: Headers) => {
    const isUnreadable = ({ name, schema }: Header) =>
      (schema?.type === 'array' || schema?.type === 'object') && present[name.toLowerCase()] === undefined
    const absent = headers.filter(isUnreadable).map(({ name }) => name)
    if (absent.length === 0) return headers
    // Prism compiles each list that it has not seen, and never releases the result.
    const variants = operation.untyped?.get(headers) ?? new Map<string, Header[]>()
    operation.untyped?.set(headers, variants)
    const id = JSON.stringify(absent)
    const untyped =
      variants.get(id) ?? headers.map(header => (isUnreadable(header) ? { ...header, schema: {} } : header))
    variants.set(id, untyped)
    return untyped
  }
  const { request, responses } = operation
  return {
    ...operation,
    ...(request && { request: { ...request, headers: untype(request.headers, sent) } }),
    responses: responses.map(response => ({ ...response, headers: untype(response.headers, received) })),
  }
}

export function requestOf({ method, target, requestHeaders, requestBody }: ExchangeTexts): Request {
  const { pathname, searchParams } = new URL(`http://contract${target}`)
  const query: Record<string, string | string[]> = {}
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name).map(standInText)
    query[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  const headers = headersFor(requestHeaders)
  // Prism knows only this spelling, but the name of a scheme is case-insensitive (RFC 9110, section 11.1).
  if (headers.authorization !== undefined)
    headers.authorization = headers.authorization.replace(/^bearer /i, 'Bearer ')
  const length = requestBody === undefined ? {} : { 'content-length': `${requestBody.length}` }
  return {
    // The router compares methods in lower case.
    method: method.toLowerCase() as Request['method'],
    url: { path: pathname.split('/').map(standInText).join('/'), query },
    headers: { ...headers, ...length },
    body: readBody(requestBody, headers['content-type']).value,
  }
}

function readBody(text: string | undefined, type: string | undefined): { value?: unknown; problem?: string } {
  if (text === undefined || text === '') return {}
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return { value: text }
  const reading = readForPrism(text)
  return 'problem' in reading && type === undefined ? { value: text } : reading
}

const token = "[\\w!#$%&'*+.^`|~-]+"
const quoted = '"(?:[^"\\\\]|\\\\.)*"'
const mediaType = new RegExp(`^${token}/${token} *(?:; *${token} *= *(?:${quoted}|${token}) *)*$`)

/** Leaves out a Content-Type that is not a media type (RFC 9110, section 8.3.1): Prism throws on it. */
function headersFor(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name, standInText(value)] as const)
  return Object.fromEntries(named.filter(([name, value]) => name !== 'content-type' || mediaType.test(value)))
}

interface Diagnostic {
  readonly path?: readonly (string | number)[]
  readonly code?: string | number
  readonly severity: number
  readonly message: string
}

/** 0 is `DiagnosticSeverity.Error`. Warnings are about undocumented statuses and deprecated parameters. */
function isError({ severity }: Diagnostic): boolean {
  return severity === 0
}

function breachOf(side: Breach['side'], { path = [], code, message }: Diagnostic): Breach {
  const [first, ...rest] = path
  return {
    side,
    part: first === undefined ? partWithoutPath(code, message) : `${first}`,
    place: rest.join('.'),
    message: messageOf(message),
  }
}

function partWithoutPath(code: Diagnostic['code'], message: string): string {
  if (code === 401) return 'security'
  return message.includes('media type') || code === 415 ? 'media type' : 'status'
}

/** Prism's message, with the limits of an int64 instead of those of a stand-in. */
function messageOf(message: string): string {
  return message
    .replace(/must be <= 9007199254740991$/, 'must be an int64: at most 9223372036854775807')
    .replace(/must be >= -9007199254740991$/, 'must be an int64: at least -9223372036854775808')
    .replace('Response header parameter', 'Response header')
}
