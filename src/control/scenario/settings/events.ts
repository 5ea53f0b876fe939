import { anyDuration, type Constraint } from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { keyNames, quotas } from '../../../emulator/worlds/constraints.ts'
import { either, field, itemMap, list, required } from '../../fields/field.ts'
import { changeCommands, tagged } from './change-commands.ts'

/* Events: changes that a scenario makes by itself while a client runs. */

const callsPattern = /^[1-9][0-9]{0,14} calls?$/
const expected = 'a number of calls or a duration, such as 5, 5 calls or 20s'
const callsText: Constraint = {
  ...anyDuration,
  expected,
  accepts: value => (typeof value === 'string' && callsPattern.test(value)) || anyDuration.accepts(value),
  schema: { type: 'string', anyOf: [{ pattern: callsPattern.source }, { pattern: durationPattern }] },
}

export const eventCommand = tagged(changeCommands)

export const event = itemMap({
  after: required(
    either(expected, quotas, callsText),
    'After this many calls, or after this time from the start. The change happens when the next call arrives.',
    ['5 calls', '20s'],
  ),
  key: field(keyNames, 'Only calls with this key count. Default: every call.', ['demo-free']),
  change: required(eventCommand, 'The change: a command for the clock, a key, a pet or a rule.', [
    { do: 'changeKey', key: 'demo-free', revoked: true },
  ]),
})

export const events = list(event)

/** `after`, decided: a number of calls, or milliseconds. */
export function settleAfter(after: number | string): { readonly calls: number } | { readonly ms: number } {
  if (typeof after === 'number') return { calls: after }
  if (callsPattern.test(after)) return { calls: Number.parseInt(after, 10) }
  return { ms: parseDuration(after) ?? 0 }
}
