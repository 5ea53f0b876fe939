import { createInstance } from '@stoplight/prism-http'
import { isObject } from '../../../base/json/is-object.ts'
import { followRefs } from '../../../base/json/pointer.ts'
import type { ExchangeTexts } from './exchange-texts.ts'
import { exactly } from './for-prism.ts'
import { config, logger, type Mocked, type Operation, requestOf } from './prism.ts'

type ResponseOf = Operation['responses'][number]

/** The success response of an operation: the lowest 2xx, else `default`. */
export function successOf<T extends { readonly code: string }>(of: { readonly responses: readonly T[] }) {
  const ordered = of.responses.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  return ordered.find(({ code }) => /^2/.test(code)) ?? ordered.find(({ code }) => code === 'default')
}

export function statusOf(response: ResponseOf | undefined, usual: number): number {
  return /^2\d\d$/.test(response?.code ?? '') ? Number(response?.code) : usual
}

export const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i

export function jsonOf(part: Pick<ResponseOf, 'contents'> | undefined) {
  return part?.contents?.find(({ mediaType }) => isJson.test(mediaType))
}

/** Whether the success response of an operation has an example of this name. */
export function hasExample(operation: Operation, name: string): boolean {
  return contentOf(operation)?.examples?.some(({ key }) => key === name) === true
}

function contentOf(operation: Operation) {
  const success = successOf(operation)
  return jsonOf(success) ?? success?.contents?.[0]
}

/** The mocker's seed for a request: equal requests get equal answers. */
export function seedOf(seed: number, { method, target, requestBody = '' }: ExchangeTexts): string {
  return JSON.stringify([seed, method, target, requestBody])
}

const mostMade = 10
const longestSeed = 4_096

/**
 * A response of an operation: the named example, or its first one, or else one that Prism generates from the schema, its examples and the
 * seed. The same seed and request give the same response. If Prism fails, as on a schema that no value matches, the
 * response has only a status.
 */
export function mockReply(operation: Operation, request: ExchangeTexts, seed: string, exampleKey?: string) {
  const id = JSON.stringify([seed, exampleKey])
  const made = operation.mocker?.made ?? new Map<string, Promise<Mocked>>()
  const known = made.get(id)
  if (known !== undefined) return known
  const reply = makeReply(operation, request, seed, exampleKey)
  if (made.size >= mostMade) made.clear()
  if (id.length <= longestSeed) made.set(id, reply)
  return reply
}

/** An operation with schemas that Prism can generate values from: seeded, and not too many. */
function generatable(operation: Operation): Operation {
  const { mocker, untyped: _untyped, ...described } = operation
  if (mocker?.operation !== undefined) return mocker.operation
  const success = successOf(operation)
  const contents = (success?.contents ?? []).map(({ schema, ...content }) => ({
    ...content,
    ...(schema !== undefined && { schema: Object(boundSchema(schema, operation)) }),
  }))
  const responses = operation.responses.map(one => (one === success ? { ...one, contents } : one))
  const seeded = seedable({ ...described, responses })
  if (mocker !== undefined) mocker.operation = seeded
  return seeded
}

async function makeReply(
  operation: Operation,
  request: ExchangeTexts,
  seed: string,
  exampleKey?: string,
): Promise<Mocked> {
  const success = successOf(operation)
  const content = contentOf(operation)
  const hasExamples = (content?.examples ?? []).length > 0
  const hasSchema = content?.schema !== undefined
  // Prism would send requests to the callbacks.
  const { callbacks: _callbacks, ...resource } = hasExamples ? operation : generatable(operation)
  const mockConfig = {
    ...config,
    validateRequest: false,
    validateResponse: false,
    checkSecurity: false,
    mock: { dynamic: hasSchema && !hasExamples, seed, ...(exampleKey !== undefined && { exampleKey }) },
  }
  const prism = createInstance(mockConfig, { logger, route: () => ({ _tag: 'Right', right: resource }) })
  // Accept is ignored, as for every other operation (A16).
  const { accept: _accept, ...requestHeaders } = request.requestHeaders
  const asked = requestOf({ ...request, requestHeaders }, operation.path)
  const outcome = await prism.request(asked, [resource], mockConfig)()
  if (outcome._tag === 'Left') return { status: statusOf(success, 200), headers: {}, body: undefined }
  const { statusCode, headers = {}, body } = outcome.right.output
  const named = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined)
  const type = named.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return {
    status: Number.isInteger(statusCode) ? statusCode : 200,
    headers: Object.fromEntries(
      named.flatMap(([name, value]) => {
        const whole = `${value}`.replace(/\p{Surrogate}/gu, '\ufffd')
        return ownHeaders.test(name) ? [] : [[name, whole.replace(/[^\t -~]+/g, encodeURIComponent)]]
      }),
    ),
    mediaType: content === undefined || type === undefined ? undefined : `${type}`,
    body: body === undefined ? undefined : exactly(body),
  }
}

/** Headers that the emulator or the door sets. */
const ownHeaders =
  /^(?:content-.*|x-ratelimit-.*|date|connection|keep-alive|transfer-encoding|trailer|upgrade|retry-after|x-pet-mock|preference-applied|access-control-.*|vary)$/i

type Schema = Readonly<Record<string, unknown>>

/** Prism generates 10 to 20 values a millisecond, and a call waits for them. */
const mostValues = 500
/** Without `maxItems`, json-schema-faker generates three items on average. */
const usualItems = 3
/** How often a schema may contain itself. */
const mostNested = 2
/** Characters that take as long as one value. */
const charactersOfValue = 100

/**
 * A schema from which Prism generates at most about 500 values beside the required ones. A smaller one is returned as it is. Of a larger one, the
 * inner levels are cut: optional parts are left out, and required ones are empty. `root`: what its references lead into.
 */
export function boundSchema(schema: unknown, root: object): unknown {
  let left = mostValues
  // Each round copies one level more, so the outer levels come first.
  for (let level = 0; ; level += 1) {
    let [isCut, isFull, isDeeper] = [false, false, false]
    const copy = (part: unknown, times: number, isRequired: boolean, open: readonly unknown[]): unknown => {
      const depth = open.length
      const target = followRefs(root, part) ?? {}
      if (depth === level) left -= times * costOf(target)
      // The first example is the only value of its schema.
      if (!isObject(target) || [target.examples].flat()[0] !== undefined) return target
      isDeeper ||= depth > level
      const isOver = depth === level && left < 0
      isFull ||= isOver
      if (depth > level || isOver || open.filter(outer => outer === target).length >= mostNested) {
        isCut = true
        return isRequired ? emptied(target) : undefined
      }
      return copyParts(target, (inner, isInnerRequired, count) =>
        copy(inner, times * count, isInnerRequired, [...open, target]),
      )
    }
    const bounded = copy(schema, 1, true, [])
    if (isFull || !isDeeper) return isCut ? bounded : schema
  }
}

function costOf(schema: unknown): number {
  if (!isObject(schema)) return 0
  const { minItems, minLength, minProperties, pattern } = schema
  const least = [minItems, minProperties].map(limit => Number(limit ?? 0) || 0)
  const repeated = Array.from(`${pattern ?? ''}`.matchAll(/\{(\d+)/g), ([, count]) => Number(count))
  const characters = Math.max(0, Number(minLength ?? 0) || 0, ...repeated)
  return 1 + characters / charactersOfValue + Math.max(...least)
}

const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'items'])

/** A schema with copies of the schemas in it. `copy` returns undefined for those that are left out. */
function copyParts(schema: Schema, copy: (inner: unknown, isRequired: boolean, count: number) => unknown) {
  const required = new Set([schema.required].flat())
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'properties' && isObject(value)) {
      const copied = (name: string, field: unknown) => [name, copy(field, required.has(name), 1)]
      const properties = Object.entries(value).map(([name, field]) => copied(name, field))
      return [keyword, Object.fromEntries(properties.filter(([, field]) => field !== undefined))]
    }
    if (Array.isArray(value) && lists.has(keyword)) {
      const copies = value.map((one, index) => copy(one, keyword === 'allOf' || index === 0, 1))
      return [keyword, copies.filter(one => one !== undefined)]
    }
    return [keyword, keyword === 'items' && isObject(value) ? copy(value, true, itemsOf(schema)) : value]
  })
  return { ...Object.fromEntries(entries), ...(isObject(schema.items) && { maxItems: itemsOf(schema) }) }
}

function itemsOf({ minItems, maxItems }: Schema): number {
  const least = Number(minItems ?? 0) || 0
  return Math.max(least, Math.min(Number(maxItems ?? usualItems) || 0, usualItems))
}

const small = /^(?:type|format|enum|const|default|minimum|maximum)$/

/** A schema without the keywords that make its values large. */
function emptied(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => small.test(keyword))
  return { ...Object.fromEntries(kept), additionalProperties: false, items: {}, maxItems: 0 }
}

/**
 * Rewrites the schemas of an operation for json-schema-faker: a schema with an example allows only that example, objects
 * allow only their own properties, and every generated value depends on the seed.
 */
export function seedable<T>(value: T, areNames = false): T {
  if (Array.isArray(value)) return value.map(item => seedable(item)) as T
  if (!isObject(value)) return value
  const fields = Object.entries(value)
  // The names under `properties` are not keywords.
  if (areNames) return Object.fromEntries(fields.map(([name, field]) => [name, seedable(field)])) as T
  const inner = fields.filter(one => !isNote(...one)).map(one => [one[0], seedablePart(...one)])
  // Otherwise json-schema-faker adds properties with random names.
  const closed = isObject(value.properties) ? [['additionalProperties', false]] : []
  return (pinned(value) ?? Object.fromEntries([...closed, ...inner])) as T
}

/** json-schema-faker takes the notes of a schema without a type for the fields of an object. */
const isNote = (name: string, field: unknown) =>
  name.startsWith('x-') || (/^(?:deprecated|description|title)$/.test(name) && typeof field !== 'object')

/** Of alternatives, only those that say something, if any does: what was cut is empty. */
function seedablePart(keyword: string, value: unknown): unknown {
  if (['const', 'default', 'enum'].includes(keyword)) return value
  const part = seedable(value, keyword === 'properties')
  const said = Array.isArray(part) ? part.filter(one => Object.keys(Object(one)).length > 0) : []
  return /^(?:any|one)Of$/.test(keyword) && said.length > 0 ? said : part
}

/** The schema that replaces a whole schema. */
function pinned(schema: Schema): Schema | undefined {
  const { examples, type, format, multipleOf } = schema
  const isSchema = 'type' in schema || 'properties' in schema || 'enum' in schema
  if (isSchema && Array.isArray(examples) && examples.length > 0) return { enum: [examples[0]] }
  // The generated time would depend on the time zone.
  if (format === 'time' && typeof type === 'string') return { type, pattern: time }
  // Fractions ignore the seed, and some become texts.
  const isFraction = typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(multipleOf)
  return isFraction ? { enum: multiples(schema, multipleOf) } : undefined
}

const time = '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$'

const mostMultiples = 100

/** Multiples of a fraction that a schema allows, from its minimum or, without one, from 0. */
function multiples({ minimum, maximum }: Schema, step: number): readonly number[] {
  const [least, most] = [minimum, maximum].map(limit =>
    typeof limit === 'number' ? limit / step : undefined,
  )
  const first = Math.ceil(least ?? (most === undefined ? 0 : most - mostMultiples))
  const last = Math.min(Math.floor(most ?? Number.POSITIVE_INFINITY), first + mostMultiples - 1)
  const digits =
    /\.(\d+)/.exec(`${step}`)?.[1]?.length ?? Math.min(100, Number(/e-(\d+)/.exec(`${step}`)?.[1] ?? 0))
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toFixed(digits)),
  )
}
