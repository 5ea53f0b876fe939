import { utf8Length } from '../../base/json/utf8.ts'
import { planBody } from '../../service/call/break-body.ts'
import type { Reply } from '../../service/call/call.ts'
import { type Failure, type Fault, failures, faultName, faultTraits } from '../../service/call/fault.ts'
import type { Answer } from './target.ts'

/** What a client has of a reply. */
export function readReply(reply: Reply): Answer {
  const fails = failureOf(reply)
  if (fails !== undefined) return { fails }
  const lowered = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { status: reply.status, headers: Object.fromEntries(lowered), text: reply.body ?? '' }
}

/** How a reply fails to arrive. A malformed one arrives, and is compared by its text. */
function failureOf({ fault, body }: Reply): Failure | undefined {
  if (fault === undefined) return undefined
  const name = faultName(fault)
  const { arrives } = faultTraits[name]
  if (arrives === 'whole' || (arrives === 'part' && isWhole(body, fault))) return undefined
  return failures.find(failure => failure === name)
}

function isWhole(body: string | undefined, fault: Fault): boolean {
  const length = body === undefined ? 0 : utf8Length(body)
  return planBody(fault, length).bytes === length
}
