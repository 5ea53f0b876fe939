import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpDate } from '../../base/time/instant.ts'
import { finish } from '../../emulator/replies/finish-reply.ts'
import { answerRule, lostRequest, markText } from '../../emulator/rules/injected-answer.ts'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, faultName, faultTraits } from '../../service/call/fault.ts'
import type { ReplyFaults } from '../server/write-reply.ts'
import type { CallRecord, Injected } from './call-record.ts'
import type { ProxyOutcome } from './proxy-rules.ts'

/** What rules do to a call on its way to the service and back. */
export type Injection = ReturnType<typeof createInjection>

/** How rules change an answer of the service that passes. */
export interface InjectedPassing {
  readonly injected: Injected
  /** The value of `X-Pet-Mock`. A delay alone has none. */
  readonly mark: string | undefined
  readonly fault: Fault | undefined
}

interface InjectionOptions {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly faults: ReplyFaults
  readonly record: CallRecord
  readonly write: (reply: Reply) => void
}

export function createInjection(outcome: ProxyOutcome, options: InjectionOptions) {
  const { rules, answer, fault, direction, delayMs, requestDelayMs } = outcome
  const { request, response, faults, record, write } = options
  const { waits } = faults
  const isLost = direction === 'request' && fault !== undefined
  const answersRequest = isLost || (answer !== undefined && direction !== 'response')
  const isAnswer = answersRequest || answer !== undefined
  const mark = isAnswer || fault !== undefined ? markText(rules.at(-1) ?? '') : undefined
  const injected: Injected = { rules, isAnswer, delayMs, fault }

  const answerCall = (laterMs: number) => {
    const made = answerRule(answer ?? lostRequest, outcome.call)
    const reply = finish(made, undefined, httpDate(Date.now()), undefined, request.method ?? 'GET', {
      gate: 'rule',
      answer: made,
      isAfterCall: !answersRequest,
      rules,
      delayMs: laterMs,
      fault,
      marks: { acting: mark, isFaultOnly: false, isShown: true },
    })
    record.endOwn(reply, { injected })
    faults.deliver(response, reply, write)
  }

  const breakWhole = ({ statusCode: status = 502, rawHeaders }: IncomingMessage, lost: Fault) => {
    const headers = [...rawHeaders, 'X-Pet-Mock', mark ?? '']
    record.end({ status, headers, fault: undefined, failure: undefined, injected })
    faults.deliver(response, { status, headers: {}, body: undefined, fault: lost }, write)
  }

  return {
    /** The service never sees the call. */
    answersRequest,
    answerRequest: (): void => answerCall(delayMs),
    delayRequest: (forward: () => void): void => waits.wait(request.socket, requestDelayMs, forward),
    /** Replaces the service's answer, or passes it on after its delay. */
    onAnswer: (incoming: IncomingMessage, pass: (passing: InjectedPassing) => void): void => {
      const laterMs = delayMs - requestDelayMs
      if (answer !== undefined) {
        incoming.on('error', () => {}).destroy()
        answerCall(laterMs)
        return
      }
      waits.wait(request.socket, laterMs, () => {
        if (fault === undefined || faultTraits[faultName(fault)].arrives !== 'nothing')
          pass({ injected, mark, fault })
        else {
          incoming.on('error', () => {}).destroy()
          breakWhole(incoming, fault)
        }
      })
    },
  }
}
