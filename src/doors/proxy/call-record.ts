import type { Call, Reply } from '../../service/call/call.ts'
import type { Fault, ProxiedFault } from '../../service/call/fault.ts'
import type { Reason } from '../../service/call/problems.ts'
import type { CapturedBody, createCaptures } from './captured-bodies.ts'

/** A call and its answer as they passed the proxy, with their bodies still coded. Off the request path it becomes an exchange. */
export interface ProxiedCall {
  readonly call: Omit<Call, 'body'>
  readonly requestBody: CapturedBody
  readonly answer: ProxiedAnswer
  /** When the answer's head came, on the proxy's clock: milliseconds since the epoch. */
  readonly answeredAt: number
}

export interface ProxiedAnswer {
  readonly status: number
  /** Names and values in turn, as the upstream sent them. */
  readonly headers: readonly string[]
  readonly body: CapturedBody
  /** How the upstream broke its answer. */
  readonly fault: ProxiedFault | undefined
  /** Why the proxy answered instead of the upstream. */
  readonly failure: Reason | undefined
  /** What rules of a scenario did; absent if none acted. */
  readonly injected?: Injected
}

export interface Injected {
  readonly rules: readonly string[]
  /** The answer is a rule's, and not the service's. */
  readonly isAnswer: boolean
  readonly delayMs: number
  readonly fault: Fault | undefined
  /** A fault that changed nothing, since the body was no longer than what `truncate` lets through. */
  readonly spared?: Fault | undefined
}

export interface RecordOptions {
  readonly capture: ReturnType<typeof createCaptures>
  /** Receives each answered call, off the request path. */
  readonly onProxiedCall: (call: ProxiedCall) => void
  /** A client left before its answer was complete. */
  readonly onGivenUp: () => void
}

export type CallRecord = ReturnType<typeof recordCall>

/** Collects the bodies of a call and its answer, and reports the call once. */
export function recordCall(call: Call, { capture, onProxiedCall, onGivenUp }: RecordOptions) {
  const requestBody = capture()
  const answerBody = capture()
  let isOver = false
  const once = (report: () => void) => {
    if (!isOver) report()
    isOver = true
  }
  const end = (answer: Omit<ProxiedAnswer, 'body'>, answeredAt = Date.now()) => {
    const report = () => {
      const body = answerBody.take()
      onProxiedCall({ call, requestBody: requestBody.take(), answer: { ...answer, body }, answeredAt })
    }
    once(() => setImmediate(report))
  }
  return {
    requestBody,
    answerBody,
    isOver: () => isOver,
    end,
    /** Ends with an answer of the proxy itself, or of a rule. */
    endOwn: (
      { status, headers, body }: Reply,
      why: { readonly failure?: Reason; readonly injected?: Injected } = {},
    ) => {
      answerBody.add(Buffer.from(body ?? ''))
      const own = { status, headers: Object.entries(headers).flat(), fault: undefined, failure: undefined }
      end({ ...own, ...why })
    },
    giveUp: () =>
      once(() => {
        requestBody.take()
        answerBody.take()
        onGivenUp()
      }),
  }
}
