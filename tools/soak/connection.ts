import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Node closes a connection that is idle for 5 s. A client that wants to be sure opens another one before that. */
const idleMs = 4_000

/** Milliseconds that an answer may take: one that never comes must not stop the soak. */
const answerMs = 120_000

/** One connection that stays open: one call at a time, read without a library, which would take the server's share of the machine. */
export class Connection {
  readonly #port: number
  readonly #patienceMs: number
  #socket: Socket | undefined
  #received = ''
  #onAnswer: ((answer: Answer) => void) | undefined
  #onFailure: ((error: Error) => void) | undefined
  #isHead = false
  #usedAt = 0
  reopened = 0

  constructor(port: number, patienceMs = answerMs) {
    this.#port = port
    this.#patienceMs = patienceMs
  }

  async open(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#connect()
        return
      } catch (error) {
        if (attempt === 5) throw error
        await new Promise(resolve => setTimeout(resolve, 100 * attempt))
      }
    }
  }

  #connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1').setNoDelay().setEncoding('latin1')
      socket.once('connect', () => {
        this.#socket = socket
        this.#usedAt = performance.now()
        resolve()
      })
      socket.on('data', (text: string) => this.#read(text))
      socket.setTimeout(this.#patienceMs, () => {
        if (this.#onFailure !== undefined)
          socket.destroy(new Error(`no answer within ${this.#patienceMs / 1_000} s`))
      })
      socket.on('error', error => {
        reject(error)
        this.#fail(error)
      })
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = undefined
        const when = this.#received === '' ? 'before' : 'in the middle of'
        this.#fail(new Error(`the connection closed ${when} its answer`))
      })
    })
  }

  /** Sends a request. Rejects when the connection breaks before its answer. */
  async call(text: string): Promise<Answer> {
    if (this.#socket === undefined || performance.now() - this.#usedAt > idleMs) {
      this.close()
      this.reopened += 1
      await this.open()
    }
    this.#isHead = text.startsWith('HEAD')
    this.#usedAt = performance.now()
    return new Promise((resolve, reject) => {
      this.#onAnswer = resolve
      this.#onFailure = reject
      this.#socket?.write(text, 'latin1')
    })
  }

  close(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
  }

  #read(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const status = Number(this.#received.slice(9, 12))
    const length = this.#isHead || status === 204 ? 0 : lengthIn(this.#received, headEnd)
    const end = headEnd + 4 + length
    if (this.#received.length < end) return
    const body = this.#received.slice(headEnd + 4, end)
    const rest = this.#received.length - end
    this.#received = ''
    const answered = this.#onAnswer
    if (answered === undefined || rest > 0) {
      this.#fail(new Error(`${rest} bytes after an answer`))
      return
    }
    this.#onAnswer = undefined
    this.#onFailure = undefined
    answered({ status, body })
  }

  #fail(error: Error): void {
    this.#received = ''
    const failed = this.#onFailure
    this.#onAnswer = undefined
    this.#onFailure = undefined
    failed?.(error)
  }
}

function lengthIn(received: string, headEnd: number): number {
  // The admin plane writes its headers in lower case.
  const found = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))
  return Number(found?.[1] ?? 0)
}
