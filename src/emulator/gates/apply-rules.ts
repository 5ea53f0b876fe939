import { maxDelayMs } from '../../service/call/fault.ts'
import { formatPreferences, type Preferences, unmetBy } from '../../service/call/prefer.ts'
import type { Key } from '../../service/keys/key.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import {
  answerRule,
  encodeMark,
  likeService,
  lostRequest,
  markText,
  unmetMark,
} from '../rules/injected-answer.ts'
import type { CallContext } from './call-context.ts'
import { injectedCallOf } from './injected-call.ts'
import type { OpenAreas } from './open-areas.ts'
import { CallFacts } from './rule-facts.ts'

interface Injecting {
  readonly key: Key
  readonly rate: RateLimit
  readonly areas: OpenAreas | undefined
  readonly marks: boolean
}

/** Injects faults (A01): after the limit, so that they cost quota, and before the route. */
export function intervene(context: CallContext, injecting: Injecting): Intervention | undefined {
  const { key, rate, areas, marks } = injecting
  const { preferences } = context.caller
  const { rules } = context.world
  if (preferences === undefined && rules.size === 0) return undefined
  // No rule counts a call that is refused here, as none counts what key, ban and limit refuse.
  if (preferences?.code !== undefined) {
    const { code, delayMs = 0 } = preferences
    const asked = likeService(code, `The request asked for this answer: Prefer: code=${code}.`)
    return {
      gate: 'prefer',
      answer: answerRule(asked, injectedCallOf(context, rate, areas)),
      isAfterCall: false,
      rules: [],
      delayMs,
      fault: undefined,
      headers: headersOf(preferences, 'prefer', marks),
    }
  }
  const outcome = rules.size === 0 ? undefined : rules.consult(new CallFacts(context, key), context.at)
  if (preferences === undefined && outcome === undefined) return undefined
  const { rules: acted = [], answer, fault, direction, delayMs = 0 } = outcome ?? {}
  // The client sees nothing of this answer: it replaces a call that is not carried out.
  const lost = direction === 'request' && fault !== undefined ? lostRequest : undefined
  const injected = answer ?? lost
  const isInjected = injected !== undefined || fault !== undefined
  return {
    gate: 'rule',
    answer: injected && answerRule(injected, injectedCallOf(context, rate, areas)),
    isAfterCall: direction === 'response',
    rules: outcome === undefined && preferences?.delayMs === undefined ? undefined : acted,
    delayMs: Math.min(maxDelayMs, delayMs + (preferences?.delayMs ?? 0)),
    fault,
    headers: headersOf(preferences, isInjected ? acted.at(-1) : undefined, marks),
  }
}

/** `injectedBy`: what `X-Pet-Mock` names, before the preferences that are not met. */
function headersOf(
  preferences: Preferences | undefined,
  injectedBy: string | undefined,
  marks: boolean,
): Intervention['headers'] {
  const own = injectedBy === undefined ? undefined : markText(injectedBy)
  return (status, known) => {
    const applied = preferences && formatPreferences(preferences, status)
    const unmet = preferences === undefined ? [] : unmetBy(preferences, status)
    const mark = [own ?? known ?? '', markUnmet(unmet.map(({ text }) => text))].filter(text => text !== '')
    return {
      ...(applied !== undefined && { 'Preference-Applied': applied }),
      ...(marks && mark.length > 0 && { 'X-Pet-Mock': mark.join('; ') }),
    }
  }
}

function markUnmet(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `${unmetMark} ${encodeMark(texts.join(', '))}`
}
