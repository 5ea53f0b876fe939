import { contractExamples } from '../../generated/contract-examples.ts'
import type { Preferences, Unmet } from '../call/prefer.ts'
import type { OperationId } from './operations.ts'

export interface Example {
  readonly status: number
  /** JSON. */
  readonly body: string
}

const examples: Readonly<Record<OperationId, Readonly<Record<string, Example>>>> = contractExamples

/** The contract's example that a call asks for, or why it gets none. Undefined if it asks for none. */
export function findExample(
  { example, code, success }: Preferences,
  operation: OperationId | undefined,
): Example | { readonly why: string } | undefined {
  if (example === undefined) return undefined
  if (operation === undefined) return { why: 'the operation has no such example for its success' }
  const known = examples[operation]
  const found = Object.hasOwn(known, example) ? known[example] : undefined
  if (found === undefined) return { why: `the examples of ${operation} are ${Object.keys(known).join(', ')}` }
  const status = code ?? success
  if (status !== undefined && status !== found.status)
    return { why: `this example has the status ${found.status}` }
  return found
}

/** All that a call asks for, if a check before refuses it. */
export function refusedPreferences(preferences: Preferences): readonly Unmet[] {
  const { code, success, example, delayMs, unmet } = preferences
  const status = code ?? success
  const asked = [
    status === undefined ? [] : `code=${status}`,
    example === undefined ? [] : `example=${example}`,
    delayMs === undefined ? [] : `delay=${delayMs}`,
  ].flat()
  const why = 'another check came first'
  return [...asked.map(text => ({ text, why })), ...unmet]
}

/**
 * What of the preferences a reply meets, as `Preference-Applied` lists it (RFC 7240, section 3), and what it does not. `applied`: those that
 * its answer met itself, as operations of a user's contract do.
 */
export function judgePreferences(
  preferences: Preferences,
  operation: OperationId | undefined,
  status: number,
  applied: string | undefined,
) {
  const { code, success, delayMs, example } = preferences
  const met: string[] = []
  const unmet: Unmet[] = []
  if (code !== undefined) met.push(`code=${code}`)
  if (success === status) met.push(`code=${success}`)
  else if (success !== undefined) {
    const why = `only a status from 400 to 599 can be asked for, and this call got ${status}`
    unmet.push({ text: `code=${success}`, why })
  }
  const found = findExample(preferences, operation)
  if (found !== undefined) {
    const isMet = !('why' in found) || applied?.split(', ').includes(`example=${example}`)
    if (!isMet) unmet.push({ text: `example=${example}`, why: found.why })
    else met.push(`example=${example}`)
  }
  if (delayMs !== undefined) met.push(`delay=${delayMs}`)
  return { met, unmet: [...unmet, ...preferences.unmet] }
}
