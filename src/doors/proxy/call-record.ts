import type { Call } from '../../service/call/call.ts'
import type { Capture } from './captured-bodies.ts'
import type { ProxiedAnswer, ProxiedBody, ProxiedCall } from './proxied-call.ts'

export interface CallRecordOptions {
  readonly capture: () => Capture
  /** Receives each answered call, off the request path. */
  readonly onProxiedCall: (call: ProxiedCall) => void
  /** A client left before its answer was complete. */
  readonly onGivenUp: () => void
}

/** Collects what a call and its answer consist of, and reports them once. */
export class CallRecord {
  readonly requestBody: Capture
  readonly answerBody: Capture
  readonly #call: Call
  readonly #options: CallRecordOptions
  #isOver = false

  constructor(call: Call, options: CallRecordOptions) {
    this.#call = call
    this.#options = options
    this.requestBody = options.capture()
    this.answerBody = options.capture()
  }

  /** Whether the call has been reported. */
  get isOver(): boolean {
    return this.#isOver
  }

  end(answer: Omit<ProxiedAnswer, 'body'>, answeredAt: number): void {
    if (this.#isOver) return
    this.#isOver = true
    setImmediate(() => {
      const requestBody = bodyOf(this.requestBody)
      const body = bodyOf(this.answerBody)
      this.#release()
      this.#options.onProxiedCall({ call: this.#call, requestBody, answer: { ...answer, body }, answeredAt })
    })
  }

  giveUp(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#release()
    this.#options.onGivenUp()
  }

  #release(): void {
    this.requestBody.release()
    this.answerBody.release()
  }
}

function bodyOf(capture: Capture): ProxiedBody {
  return { bytes: capture.take(), size: capture.size() }
}
