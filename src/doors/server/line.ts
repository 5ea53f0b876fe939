import type { ServerResponse } from 'node:http'
import type { Connection } from '../../service/call/call.ts'

/** Sent responses that are kept until the list is cut. */
const mostSent = 1_000

/**
 * The responses of a connection that are under way, in the order of their requests. A listener for each one's end would
 * slow every call down. A client can have thousands, so nothing walks through them.
 */
export class Line {
  readonly connection: Connection = { opened: performance.now() }
  /** How many calls began. */
  calls = 0
  #responses: ServerResponse[] = []
  /** The index of the first that may be under way. */
  #first = 0
  readonly #before = new WeakMap<ServerResponse, ServerResponse>()
  /** Whether a call ever came before the reply of the one before it. If not, nothing is looked up in the map. */
  #isPipelined = false

  isReading = false
  #afterBody: (() => void)[] = []

  beginBody(): void {
    this.isReading = true
  }

  /**
   * A call that comes behind a body waits for it: it must see what the call with that body did (RFC 9112, section
   * 9.3.2). Node reports it before the end of the body.
   */
  afterBody(serve: () => void): void {
    this.#afterBody.push(serve)
  }

  endBody(): void {
    this.isReading = false
    const waiting = this.#afterBody
    this.#afterBody = []
    for (const [index, serve] of waiting.entries()) {
      serve()
      if (!this.isReading) continue
      this.#afterBody = [...waiting.slice(index + 1), ...this.#afterBody]
      return
    }
  }

  /** Returns how many are under way. */
  add(response: ServerResponse): number {
    this.calls += 1
    this.dropSent()
    const responses = this.#responses
    const last = responses.at(-1)
    if (this.calls === 1) response.once('finish', this.#reply)
    if (last !== undefined) {
      this.#before.set(response, last)
      this.#isPipelined = true
    }
    responses.push(response)
    return responses.length - this.#first
  }

  /** Call it after a reply, too: a response that is kept until the next call costs the garbage collector a copy. */
  dropSent(): void {
    const responses = this.#responses
    for (let sent = responses[this.#first]; sent && isSent(sent); sent = responses[this.#first]) {
      if (this.#isPipelined) this.#before.delete(sent)
      this.#first += 1
    }
    if (this.#first === responses.length || this.#first > mostSent) {
      responses.splice(0, this.#first)
      this.#first = 0
    }
  }

  /** The client's end closed, or all of it. */
  close(): void {
    this.connection.closedAt ??= Date.now()
    this.#reply()
  }

  readonly #reply = () => {
    this.connection.replied ??= performance.now()
  }

  get last(): ServerResponse | undefined {
    return underWay(this.#responses.at(-1))
  }

  before(response: ServerResponse): ServerResponse | undefined {
    return underWay(this.#before.get(response))
  }
}

function underWay(response: ServerResponse | undefined): ServerResponse | undefined {
  return response === undefined || isSent(response) ? undefined : response
}

function isSent(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}
