import { METHODS } from 'node:http'
import fc from 'fast-check'
import { isPet } from '../judge/schemas.ts'
import { Broken } from '../lane.ts'
import type { WireReply } from '../wire/read-replies.ts'
import { anyBody, anyHeaders, anyTarget, oneOf } from './any-request.ts'

/** A request that any server must be able to read (RFC 9112), as latin1 characters. */
export interface WellFormed {
  readonly bytes: string
  readonly isHead: boolean
  /** Throws Broken if a reply cannot be the one to this request. */
  readonly expect: (reply: WireReply) => void
}

interface Parts {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly chunks: readonly number[] | undefined
  readonly awaitsContinue: boolean
}

const key = oneOf('demo-pro', 'demo-business+w1', 'demo-pro+w2', 'demo-free', 'demo-free+w3', 'unknown')
const plainHeaders = key.map(key => [
  ['Host', 'localhost'],
  ['Authorization', `Bearer ${key}`],
]) satisfies fc.Arbitrary<Parts['headers']>

/** What Node's parser reads; CONNECT opens a tunnel. */
const methods = METHODS.filter(method => method !== 'CONNECT')
const method = fc.oneof(
  { weight: 12, arbitrary: oneOf('GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE') },
  { weight: 1, arbitrary: oneOf(...methods) },
)
const chunks = fc.option(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }), {
  nil: undefined,
  freq: 3,
})

const strange: fc.Arbitrary<Parts> = fc.record({
  method,
  // The parser rejects these in a target, and a missing Host.
  target: anyTarget.filter(target => /^(?:\/|\*$|[a-z]+:\/\/[\w[\].:-]+(?:\/|$))/i.test(target)),
  headers: anyHeaders.map(
    headers => headers.filter(([, value]) => !/[\0\r\n]/.test(value)) as Parts['headers'],
  ),
  body: fc.option(
    anyBody.map(bytes => Buffer.from(bytes).toString('latin1')),
    { nil: undefined },
  ),
  chunks,
  awaitsContinue: fc.boolean(),
})

const simple = (method: string, target: string, headers: Parts['headers'], body?: string): Parts => ({
  method,
  target,
  headers,
  body,
  chunks: undefined,
  awaitsContinue: false,
})

const list = fc.tuple(fc.integer({ min: 1, max: 100 }), plainHeaders).map(([limit, headers]) =>
  request(simple('GET', `/v1/pets?limit=${limit}`, headers), reply => {
    const pets = bodyOf(reply, 200)
    if (pets === undefined) return
    if (!Array.isArray(pets) || pets.length > limit || !pets.every(pet => isPet(pet)))
      throw new Broken(`Not a page of at most ${limit} pets: ${reply.text.slice(0, 300)}`)
  }),
)
const get = fc.tuple(fc.integer({ min: 1, max: 130 }), plainHeaders).map(([id, headers]) =>
  request(simple('GET', `/v1/pets/${id}`, headers), reply => {
    const pet = bodyOf(reply, 200)
    if (pet !== undefined && !(isPet(pet) && idOf(pet) === id))
      throw new Broken(`Not the pet ${id}: ${reply.text.slice(0, 300)}`)
  }),
)
const create = fc
  .tuple(fc.nat(2 ** 30), plainHeaders, chunks, fc.boolean())
  .map(([tag, headers, chunks, waits]) => {
    const name = `pet-${tag}`
    const typed = [...headers, ['Content-Type', 'application/json']] as const
    const parts = simple('POST', '/v1/pets', typed, JSON.stringify({ name, categoryId: tag }))
    return request({ ...parts, chunks, awaitsContinue: waits }, reply => {
      const pet = bodyOf(reply, 201)
      if (pet !== undefined && !(isPet(pet) && reply.text.includes(`"${name}"`)))
        throw new Broken(`Not the pet ${name}: ${reply.text.slice(0, 300)}`)
    })
  })

export const wellFormed: fc.Arbitrary<WellFormed> = fc.oneof(
  { weight: 4, arbitrary: strange.map(parts => request(parts, () => {})) },
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: get },
  { weight: 2, arbitrary: create },
)

function request(parts: Parts, expect: WellFormed['expect']): WellFormed {
  return { bytes: write(parts), isHead: parts.method === 'HEAD', expect }
}

function write({ method, target, headers, body, chunks, awaitsContinue }: Parts): string {
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host')
  const lines = [...(hasHost ? [] : [['Host', 'localhost'] as const]), ...headers].map(
    ([name, value]) => `${name}: ${value}`,
  )
  const expectation = awaitsContinue && body !== undefined ? ['Expect: 100-continue'] : []
  const framing =
    body === undefined
      ? []
      : [chunks === undefined ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked']
  const head = [`${method} ${target} HTTP/1.1`, ...lines, ...expectation, ...framing, '', ''].join('\r\n')
  return head + (body === undefined ? '' : chunks === undefined ? body : inChunks(body, chunks))
}

/** Cuts a body anywhere, with an extension and a trailer now and then (RFC 9112, section 7.1). */
function inChunks(body: string, sizes: readonly number[]): string {
  let rest = body
  let text = ''
  for (const size of [...sizes, body.length]) {
    const chunk = rest.slice(0, size)
    rest = rest.slice(size)
    if (chunk !== '') text += `${chunk.length.toString(16)}${size % 5 === 0 ? ';a=b' : ''}\r\n${chunk}\r\n`
  }
  return `${text}0\r\n${sizes.length % 3 === 2 ? 'X-Trailer: 1\r\n' : ''}\r\n`
}

function bodyOf({ status, text }: WireReply, wanted: number): unknown {
  return status === wanted ? JSON.parse(text) : undefined
}

function idOf(pet: unknown): number {
  return Number((pet as { readonly id: number }).id)
}
