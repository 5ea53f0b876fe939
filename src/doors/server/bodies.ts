import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxBody, type UsesBody } from '../../service/call/call.ts'
import type { AnswerRequest } from './answer-request.ts'
import type { Line } from './line.ts'
import { declaredLength, declaresTooMuch, makeCall } from './read-call.ts'
import { type Refusal, refuseRequest, serverBusy } from './refusals.ts'

/** Bytes up to which the body of a call is neither counted nor refused. */
const uncountedBody = 65_536
/** Bytes that all larger bodies of calls under way may take. */
const mostOfCalls = 64 * 2 ** 20

/** Bounds the memory that bodies of more than `uncounted` bytes take together. Returns what makes the share of one body. */
export function createBodyBudget(mostInAll = mostOfCalls, uncounted = uncountedBody) {
  let inAll = 0
  return () => {
    let own = 0
    return {
      /** Whether the body may grow to this size. */
      takes: (size: number): boolean => {
        if (size <= uncounted) return true
        if (inAll - own + size > mostInAll) return false
        inAll += size - own
        own = size
        return true
      },
      release: (): void => {
        inAll -= own
        own = 0
      },
    }
  }
}

/**
 * Reads a body. `takes`: whether to read on, by the next chunk and the size with it. Calls back once: with the body, or as soon as a
 * chunk is not taken, with that chunk as `rest`. Never calls back if the client leaves. Returns a function that stops reading.
 */
export function readBody(
  request: IncomingMessage,
  takes: (size: number, chunk: Uint8Array) => boolean,
  done: (body: Uint8Array, rest: Uint8Array | undefined) => void,
): () => void {
  const bytes = new GrowingBytes()
  const take = (chunk: Buffer) => {
    if (takes(bytes.size + chunk.length, chunk)) bytes.add(chunk)
    else {
      stop()
      done(bytes.all(), chunk)
    }
  }
  const finish = () => done(bytes.all(), undefined)
  const stop = () => request.off('data', take).off('end', finish)
  request.on('data', take).on('end', finish)
  return stop
}

/** Joins chunks by copies: a list of them takes far more memory than a body that comes byte by byte. */
class GrowingBytes {
  #bytes: Uint8Array = new Uint8Array()
  size = 0

  add(chunk: Uint8Array): void {
    const size = this.size + chunk.length
    if (this.size === 0) this.#bytes = chunk
    else {
      if (size > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.size))
        larger.set(this.#bytes.subarray(0, this.size))
        this.#bytes = larger
      }
      this.#bytes.set(chunk, this.size)
    }
    this.size = size
  }

  all(): Uint8Array {
    return this.size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.size)
  }
}

/** Reads the bodies of calls, and bounds the memory that they take. A large one is read only if it matters. */
export function createBodyReader(
  answer: AnswerRequest,
  usesBody: UsesBody,
  onRefusal: ((refusal: Refusal) => void) | undefined,
) {
  const share = createBodyBudget()
  return (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean, line?: Line): void => {
    if (declaresTooMuch(request, maxBody)) {
      answer(request, response, 'too-large', line)
      return
    }
    const isLarge = (declaredLength(request) ?? 0) > uncountedBody
    const matters = () => usesBody(makeCall(request, undefined, Date.now()))
    if ((awaitsContinue || isLarge) && !matters()) {
      answer(request, response, undefined, line, true)
      return
    }
    if (awaitsContinue) response.writeContinue()
    const { takes: mayGrow, release } = share()
    let isCounted = false
    let isBusy = false
    const takes = (size: number): boolean => {
      if (size > maxBody) return false
      if (size > uncountedBody && !isCounted) {
        if (!isLarge && !matters()) return false
        isCounted = true
        request.once('close', release)
      }
      isBusy = !mayGrow(size)
      return !isBusy
    }
    line?.beginBody()
    readBody(request, takes, (body, rest) => {
      release()
      if (isBusy) refuseRequest(request, response, serverBusy, onRefusal)
      else if (rest === undefined) answer(request, response, body, line)
      else if (body.length + rest.length > maxBody) answer(request, response, 'too-large', line)
      else answer(request, response, undefined, line, true)
      line?.endBody()
    })
  }
}
