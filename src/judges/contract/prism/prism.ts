import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import type { Breach } from '../../../emulator/journal/exchange.ts'
import { pathSegments, readTarget } from '../../../service/call/target.ts'
import type { ExchangeTexts } from './exchange-texts.ts'

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]

export interface Operation extends PrismOperation {
  /** The operation as its examples are generated from it, and the last examples by seed. */
  readonly mocker?: { operation?: Operation; readonly made: Map<string, Promise<Mocked>> }
  /** Variants of its lists of headers, by list and by the headers that are absent. */
  readonly untyped?: Map<readonly Header[], Map<string, Header[]>>
}

export interface Mocked {
  readonly status: number
  /** By name, without the media type. */
  readonly headers: Readonly<Record<string, string>>
  readonly mediaType?: string | undefined
  readonly body: JsonValue | undefined
}

export const config: Parameters<typeof createInstance>[0] = {
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
export const logger = { ...levels, child: () => logger } as unknown as Parameters<
  typeof createInstance
>[1]['logger']

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
  return (await reading).map(one => ({ ...one, untyped: new Map(), mocker: { made: new Map() } }))
}

/**
 * The breaches that Prism finds in an exchange of an operation; without a response, those of its request. Its mocker is
 * replaced by one that returns the actual response, so nothing is sent again. Its router is replaced, too: it takes
 * `/jobs/{id}:cancel` for `/jobs/1:cancelled`, and an empty segment for a parameter.
 */
export async function findBreaches(
  operation: Operation,
  exchange: ExchangeTexts,
  sides: 'both' | 'request' = 'both',
): Promise<readonly Breach[]> {
  const { status, headers } = exchange
  const body = readBody(exchange.body, headers['content-type'])
  const right = { statusCode: status, headers: headersFor(headers), body: body.value }
  const request = requestOf(exchange, operation.path)
  const resource = withoutAbsentTypes(operation, request.headers, headers)
  const prism = createInstance(config, {
    logger,
    route: () => ({ _tag: 'Right', right: resource }),
    mock: () => () => ({ _tag: 'Right', right }),
  })
  const settings = { ...config, validateResponse: sides === 'both' }
  const outcome = await prism.request(request, [resource], settings)()
  if (outcome._tag === 'Left') throw outcome.left
  const { input, output } = outcome.right.validations
  const requested = input.filter(isError).map(diagnostic => breachOf('request', diagnostic))
  const breaches = [
    ...requested.filter(createSentFilter(operation, exchange)),
    ...output.filter(isError).map(diagnostic => breachOf('response', diagnostic)),
  ]
  if (body.problem === undefined || sides === 'request') return breaches
  const message = `Response body is not JSON: ${body.problem}`
  const others = breaches.filter(({ side, part }) => side === 'request' || part !== 'body')
  return [...others, { side: 'response', part: 'body', place: '', message }]
}

/** Leaves out what Prism says wrongly of `a[b]=c` in a form: it reads empty objects for those not sent, and no lists of objects. */
function createSentFilter({ request }: Operation, { requestHeaders, requestBody }: ExchangeTexts) {
  const text = (form.test(requestHeaders['content-type'] ?? '') && requestBody?.replaceAll('#', '%23')) || ''
  const sent = new Set(Array.from(new URL(`http://contract/?${text}`).searchParams, ([name]) => name))
  const begun = new Set<string>()
  for (const name of sent)
    for (let at = 0; at !== -1 && at < 200; at = name.indexOf('[', at + 1)) begun.add(name.slice(0, at))
  return ({ part, place, message }: Breach): boolean => {
    if (sent.size === 0 || !['body', 'media type'].includes(part)) return true
    let schema: unknown = request?.body?.contents?.find(({ mediaType }) => form.test(mediaType))?.schema
    let name = ''
    for (const step of place.split('.')) {
      const { required = [], properties = {}, items } = Object(schema)
      name += name === '' ? step : `[${step}]`
      if (sent.has(name)) return true
      if (!begun.has(name) && !required.includes(step)) return false
      schema = properties[step] ?? items
    }
    return begun.size === 1 || !message.startsWith('Cannot deserialize JSON object array')
  }
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
  const isOfType = message.includes('media type') || code === 415
  const part = `${first ?? (code === 401 ? 'security' : isOfType ? 'media type' : 'status')}`
  // The limits of an int64 instead of those of a stand-in.
  const shown = message
    .replace(/must be <= 9007199254740991$/, 'must be an int64: at most 9223372036854775807')
    .replace(/must be >= -9007199254740991$/, 'must be an int64: at least -9223372036854775808')
    .replace('Response header parameter', 'Response header')
  return { side, part, place: rest.join('.'), message: shown }
}

type Request = Parameters<ReturnType<typeof createInstance>['request']>[0]

/** A request as Prism reads it. `template`: the path of its operation. */
export function requestOf({ method, target, requestHeaders, requestBody }: ExchangeTexts, template: string) {
  const { path, query: text } = readTarget(target)
  const values = new Map<string, string[]>()
  // `getAll` for each name would take seconds for a name that is repeated thousands of times.
  for (const [name, value] of new URL(`http://contract/?${text}`).searchParams) {
    const known = values.get(name) ?? []
    values.set(name, known)
    known.push(standInText(value))
  }
  const query = Object.fromEntries(
    Array.from(values, ([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]),
  )
  const headers = headersFor(requestHeaders)
  // Prism knows only this spelling, but the name of a scheme is case-insensitive (RFC 9110, section 11.1).
  if (headers.authorization !== undefined)
    headers.authorization = headers.authorization.replace(/^bearer /i, 'Bearer ')
  const length = requestBody === undefined ? {} : { 'content-length': `${requestBody.length}` }
  return {
    // The router compares methods in lower case.
    method: method.toLowerCase() as Request['method'],
    url: { path: pathLike(template, path), query },
    headers: { ...headers, ...length },
    body: readBody(requestBody, headers['content-type']).value,
  }
}

/** A path with its literals as a template writes them: Prism reads the parameters between them, and decodes these alone. */
function pathLike(template: string, path: string): string {
  const written = template.split('/').slice(1)
  const segments = (pathSegments(path) ?? []).map((text, place) => {
    const segment = written[place] ?? ''
    return segment.includes('{') ? encodeSegment(standInText(text)) : segment
  })
  return `/${segments.join('/')}`
}

/**
 * Keeps the characters that a segment may contain (RFC 3986, section 3.3), for the literals beside a parameter. A URL cannot
 * have a segment of dots, so it is encoded twice. It is neither a number nor an id.
 */
function encodeSegment(text: string): string {
  if (/^\.{1,2}$/.test(text)) return text.replaceAll('.', '%252E')
  return encodeURIComponent(text).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
}

/** A body as JSON, or as text; `problem` is what is wrong with JSON that announces itself as such. */
function readBody(text: string | undefined, type: string | undefined): { value?: unknown; problem?: string } {
  if (text === undefined || text === '') return {}
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return { value: text }
  const reading = readForPrism(text)
  return 'problem' in reading && type === undefined ? { value: text } : reading
}

const token = "[\\w!#$%&'*+.^`|~-]+"
const quoted = '"(?:[^"\\\\]|\\\\.)*"'
const form = /^application\/x-www-form-urlencoded\b/i
const mediaType = new RegExp(`^${token}/${token} *(?:; *${token} *= *(?:${quoted}|${token}) *)*$`)

/** Leaves out a Content-Type that is not a media type (RFC 9110, section 8.3.1): Prism throws on it. */
function headersFor(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name, standInText(value)] as const)
  return Object.fromEntries(named.filter(([name, value]) => name !== 'content-type' || mediaType.test(value)))
}

const mostExact = Number.MAX_SAFE_INTEGER
const beyondInt64 = 2 ** 64

/**
 * Prism reads numbers as doubles and accepts int64s up to 2^53 - 1. An int64 beyond that is replaced by the largest number
 * that Prism accepts, a larger integer by one that Prism rejects.
 */
function standInFor(value: bigint): number {
  if (BigInt.asIntN(64, value) !== value) return value < 0n ? -beyondInt64 : beyondInt64
  if (value > mostExact) return mostExact
  return value < -mostExact ? -mostExact : Number(value)
}

/** Replaces large integers in the text of a header, a parameter or a path. */
function standInText(text: string): string {
  return text.replace(/(?<![\w.%-])-?[1-9]\d{15,39}(?![\w.%])/g, digits => `${standInFor(BigInt(digits))}`)
}

function readForPrism(text: string): { readonly value: unknown } | { readonly problem: string } {
  const reading = readJson(text)
  if ('value' in reading) return { value: withNumbers(reading.value, standInFor) }
  try {
    // Our own reader limits the depth.
    return { value: JSON.parse(text) }
  } catch {
    return reading
  }
}

export function withNumbers(value: JsonValue, toNumber: (value: bigint) => number): unknown {
  if (typeof value === 'bigint') return toNumber(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => withNumbers(item, toNumber))
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([name, field]) => [name, withNumbers(field, toNumber)]))
}
