import { decodePercent } from '../../../base/percent.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { faultName, faultTraits } from '../../../service/call/fault.ts'
import { belowBase, bodyText, byName, replyByName } from '../../exchanges/texts.ts'

/** An exchange as texts, from any server. Header names are in lower case. */
export interface ExchangeTexts {
  readonly method: string
  /** Path and query below the base URL: `/pets?limit=5`. */
  readonly target: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a response without a body: to HEAD, or with 204 or 304. */
  readonly body: string | undefined
}

/** Calls that these gates answer do not reach the API (A01, A03). */
const outside: ReadonlySet<string> = new Set(['host', 'preflight'])

/** True if it reached the API below `base`, and its reply could have a body. */
export function needsVerdict({ call, trace }: Exchange, base: string): boolean {
  return belowBase(call.target, base) !== undefined && !outside.has(trace.gate) && call.method !== 'HEAD'
}

export function isBrokenByRule({ reply, trace }: Exchange): boolean {
  return !isWhole(reply) && trace.rules !== undefined
}

/** The texts of an exchange that needs a verdict, or why it cannot have one, as a clause. */
export function textsOf({ call, reply, cut, trace }: Exchange, base: string): ExchangeTexts | string {
  if (trace.code === 'upstream_failed') return 'the service gave no answer'
  if (!isWhole(reply)) return 'the service stopped in the middle of its answer'
  if ((cut.call ?? cut.reply) !== undefined) return 'a body is larger than 1 MiB or cannot be decoded'
  if (decodePercent(call.target.split('?')[0] ?? '') === undefined) return 'the path cannot be decoded'
  return {
    method: call.method,
    target: belowBase(call.target, base) ?? call.target,
    requestHeaders: byName(call.headers),
    requestBody: bodyText(call.body),
    status: reply.status,
    headers: replyByName(reply),
    body: reply.body,
  }
}

function isWhole({ fault }: Exchange['reply']): boolean {
  return fault === undefined || faultTraits[faultName(fault)].arrives === 'whole'
}
