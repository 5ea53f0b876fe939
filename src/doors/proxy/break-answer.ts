import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BodyPlan, cutsNothing, planBody } from '../../service/call/break-body.ts'
import { type Fault, faultName } from '../../service/call/fault.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Waits } from '../server/waits.ts'
import type { InjectedPassing } from './injection.ts'

interface BreakOptions {
  readonly response: ServerResponse
  readonly fault: Fault
  readonly waits: Waits
  /** Receives what the service sends. */
  readonly capture: (chunk: Uint8Array) => void
}

/** Whether an answer has a body that a fault can break. */
export function hasBrokenBody({ statusCode, rawHeaders }: IncomingMessage, method: string): boolean {
  const isEmpty = statusCode === 204 || statusCode === 304 || lengthOf(rawHeaders) === 0
  return method !== 'HEAD' && !isEmpty
}

/** The rule's fault is not one if the answer's head shows that there is nothing to cut. */
export function spareShort(passing: InjectedPassing, incoming: IncomingMessage, method: string) {
  const length = hasBrokenBody(incoming, method) ? lengthOf(incoming.rawHeaders) : 0
  const { fault } = passing
  return fault !== undefined && length !== undefined && cutsNothing(fault, length) ? spare(passing) : passing
}

/** The same without its fault, which broke nothing. */
export function spare({ injected, fault }: InjectedPassing): InjectedPassing {
  return { injected: { ...injected, fault: undefined, spared: fault }, mark: undefined, fault: undefined }
}

/**
 * Passes a body on as its fault says, in pieces as they come. Resolves with whether it went out whole. Rejects if the
 * service breaks off.
 */
export async function sendBroken(
  incoming: IncomingMessage,
  { response, fault, waits, capture }: BreakOptions,
): Promise<boolean> {
  const source = captured(incoming, capture)
  const first = await measure(source, fault, lengthOf(incoming.rawHeaders))
  const send = (part: Uint8Array) => write(response, part)
  const body = faultName(fault) === 'malformed' ? malformed(first.body) : first.body
  const pause = (ms: number) =>
    new Promise<void>(resolve => waits.wait(response.req.socket, ms, () => resolve()))
  return pace(body, planOf(fault, first.length), send, { pause, isOver: () => waits.isOver })
}

function planOf(fault: Fault, length: number): BodyPlan {
  const plan = planBody(fault, length)
  // The measured length may be a part of it.
  return faultName(fault) === 'truncate' ? plan : { ...plan, bytes: Number.POSITIVE_INFINITY }
}

interface Pauses {
  readonly pause: (ms: number) => Promise<void>
  readonly isOver: () => boolean
}

async function pace(
  body: AsyncIterable<Uint8Array>,
  { bytes, piece, pauseMs }: BodyPlan,
  send: (part: Uint8Array) => Promise<void>,
  { pause, isOver }: Pauses,
): Promise<boolean> {
  let sent = 0
  let inPiece = 0
  for await (const chunk of body) {
    let from = 0
    while (from < chunk.length && sent < bytes) {
      if (inPiece >= piece && pauseMs > 0) {
        await pause(pauseMs)
        inPiece = 0
      }
      const most = pauseMs === 0 || isOver() ? chunk.length : piece - inPiece
      const part = chunk.subarray(from, from + Math.min(most, bytes - sent))
      await send(part)
      from += part.length
      sent += part.length
      inPiece += part.length
    }
    // Leaving the loop ends the service's answer.
    if (from < chunk.length) return false
  }
  return true
}

/** Waits while the client does not read. A client that leaves ends the wait, and its call. */
async function write(response: ServerResponse, part: Uint8Array): Promise<void> {
  if (response.write(part) || response.destroyed) return
  await new Promise<void>(resolve => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

async function* captured(
  incoming: IncomingMessage,
  capture: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    capture(chunk)
    yield chunk
  }
}

/** Bytes to read of a body without Content-Length, to know what half or a tenth of it is. */
const mostMeasured = 65_536

/** The length of a body, and the body. Without Content-Length, a plain word needs the beginning of the body for that. */
async function measure(source: AsyncGenerator<Uint8Array>, fault: Fault, announced: number | undefined) {
  const isMeasured = announced === undefined && (fault === 'truncate' || fault === 'slow')
  if (!isMeasured) return { length: announced ?? Number.POSITIVE_INFINITY, body: source }
  const begin: Uint8Array[] = []
  let length = 0
  while (length < mostMeasured) {
    const next = await source.next()
    if (next.done) break
    begin.push(next.value)
    length += next.value.length
  }
  return { length, body: joined(begin, source) }
}

async function* joined(begin: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>) {
  yield* begin
  yield* rest
}

/** Replaces the last byte by a comma: no JSON ends with one. */
async function* malformed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined
  for await (const chunk of body) {
    if (last !== undefined) yield last
    last = chunk
  }
  if (last === undefined) return
  yield last.subarray(0, -1)
  yield new TextEncoder().encode(',')
}

function lengthOf(headers: readonly string[]): number | undefined {
  const length = headerValue(headers, 'content-length')
  return typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : undefined
}
