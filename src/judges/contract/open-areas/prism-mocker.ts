import { createInstance } from '@stoplight/prism-http'
import type { ExchangeTexts } from '../prism/exchange-texts.ts'
import { exactly } from '../prism/for-prism.ts'
import { config, logger, type Operation, requestOf } from '../prism/prism.ts'
import { seedable } from './seedable.ts'

type ResponseOf = Operation['responses'][number]

/** The success response of an operation: the lowest 2xx, else `default`. */
export function successOf({ responses }: Operation): ResponseOf | undefined {
  const ordered = responses.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  return ordered.find(({ code }) => /^2/.test(code)) ?? ordered.find(({ code }) => code === 'default')
}

/** The status of a response, or the usual one if it covers several. */
export function statusOf(response: ResponseOf | undefined, usual: number): number {
  return /^2\d\d$/.test(response?.code ?? '') ? Number(response?.code) : usual
}

/** The JSON content of a response or a request body. */
export function jsonOf(part: Pick<ResponseOf, 'contents'> | undefined) {
  return part?.contents?.find(({ mediaType }) => /^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType))
}

/** Whether the success response of an operation has an example of this name. */
export function hasExample(operation: Operation, name: string): boolean {
  return contentOf(operation)?.examples?.some(({ key }) => key === name) === true
}

function contentOf(operation: Operation) {
  const success = successOf(operation)
  return jsonOf(success) ?? success?.contents?.[0]
}

/**
 * A response of an operation: the named example, or its first one, or else one that Prism generates from the schema, its examples and the
 * seed. The same seed and request give the same response. If Prism fails, as on a schema that no value matches, the
 * response has only a status.
 */
export async function mockReply(
  operation: Operation,
  request: ExchangeTexts,
  seed: string,
  exampleKey?: string,
) {
  const success = successOf(operation)
  const content = contentOf(operation)
  const hasExamples = (content?.examples ?? []).length > 0
  const hasSchema = content?.schema !== undefined
  // Prism would send requests to the callbacks.
  const { callbacks: _callbacks, ...resource } = hasExamples ? operation : seedable(operation)
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
  const outcome = await prism.request(requestOf({ ...request, requestHeaders }), [resource], mockConfig)()
  if (outcome._tag === 'Left') return { status: statusOf(success, 200), headers: {}, body: undefined }
  const { statusCode, headers = {}, body } = outcome.right.output
  const named = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined)
  const type = named.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return {
    status: Number.isInteger(statusCode) ? statusCode : 200,
    /** By name, without the media type. */
    headers: Object.fromEntries(
      named.filter(([name]) => !ownHeaders.test(name)).map(([name, value]) => [name, headerText(`${value}`)]),
    ),
    mediaType: content === undefined || type === undefined ? undefined : `${type}`,
    body: body === undefined ? undefined : exactly(body),
  }
}

/** Headers that the emulator or the door sets. */
const ownHeaders =
  /^(?:content-.*|x-ratelimit-.*|date|connection|keep-alive|transfer-encoding|trailer|upgrade|retry-after|x-pet-mock|preference-applied|access-control-.*|vary)$/i

function headerText(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\t -~]+/g, encodeURIComponent)
}
