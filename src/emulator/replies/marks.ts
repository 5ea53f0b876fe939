import type { Answer } from '../../service/call/answer.ts'
import { appliedHeader, type Preferences } from '../../service/call/prefer.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { judgePreferences } from '../../service/operations/preferred.ts'
import { encodeMark, unmetMark } from '../rules/injected-answer.ts'

/** What a reply says about an intervention. The journal keeps it, so it must not refer to the call. */
export interface Marks {
  /** What `X-Pet-Mock` names, before the preferences that are not met. */
  readonly acting: string | undefined
  /** Whether a fault acts without an answer. */
  readonly isFaultOnly: boolean
  readonly preferences?: Preferences | undefined
  /** The operation that the preferences are about. */
  readonly operation?: OperationId | undefined
  /** Whether `X-Pet-Mock` marks replies. */
  readonly isShown: boolean
}

/** The headers that report an intervention to the client. `known`: those of the answer. `isSpared`: the fault breaks nothing. */
export function markReply(
  { acting, isFaultOnly, preferences, operation, isShown }: Marks,
  status: number,
  known: Answer['headers'],
  isSpared: boolean,
): Readonly<Record<string, string>> {
  const own = isSpared && isFaultOnly ? undefined : acting
  const judged = preferences && judgePreferences(preferences, operation, status, known?.[appliedHeader])
  const { met = [], unmet = [] } = judged ?? {}
  const mark = [own ?? known?.['X-Pet-Mock'] ?? '', markUnmet(unmet)].filter(text => text !== '')
  return {
    ...(met.length > 0 && { [appliedHeader]: met.join(', ') }),
    ...(isShown && mark.length > 0 && { 'X-Pet-Mock': mark.join('; ') }),
  }
}

/** Names preferences that are not met. */
export function markUnmet(unmet: readonly { readonly text: string }[]): string {
  return unmet.length === 0 ? '' : `${unmetMark} ${encodeMark(unmet.map(({ text }) => text).join(', '))}`
}
