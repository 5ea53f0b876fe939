import type { WantedCall } from './wanted-call.ts'

/**
 * Leaves out calls that repeat one that was refused when it was recorded: the same method, target and body, sent after the
 * refusal arrived. A client that is never refused does not make them.
 */
export function dropRepeats(calls: readonly WantedCall[]): readonly WantedCall[] {
  if (!calls.some(({ wasRefused }) => wasRefused)) return calls
  /** When the refusals of each call arrived that no call has repeated so far. */
  const open = new Map<string, number[]>()
  return calls.filter(call => {
    const name = `${call.method} ${call.target} ${call.body}`
    const refusals = open.get(name) ?? []
    const [first] = refusals
    const repeats = first !== undefined && first < call.at
    if (repeats) refusals.shift()
    if (call.wasRefused) {
      refusals.push(call.answeredAt)
      open.set(name, refusals)
    }
    return !repeats
  })
}
