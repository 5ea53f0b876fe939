import type { WantedCall } from './wanted-call.ts'

export const callerWays = ['all', 'key', 'connection'] as const
/** What the calls of one caller have in common. Each caller has a quota of its own. */
export type CallerBy = (typeof callerWays)[number]

/** The calls of one caller, in the order of time. */
export interface CallerCalls {
  /** Its key, connection and sandbox as the recording has them; undefined: all calls. */
  readonly name: string | undefined
  readonly calls: readonly WantedCall[]
}

/** Each caller has an emulator of its own. */
export const mostCallers = 1_000

/** Groups calls by their caller. A text says why that cannot be. */
export function groupByCaller(calls: readonly WantedCall[], by: CallerBy): readonly CallerCalls[] | string {
  if (by === 'all') return [{ name: undefined, calls }]
  const missing = by === 'key' ? 'API keys: browsers leave them out' : 'connections'
  if (calls.every(call => !call[by])) return `the recording has no ${missing}`
  const groups = new Map<string, WantedCall[]>()
  for (const call of calls) {
    const name = nameOf(call, by)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [call])
    else group.push(call)
    if (groups.size > mostCallers) return `the recording has more than ${mostCallers} callers`
  }
  return Array.from(groups, ([name, own]) => ({ name, calls: own }))
}

function nameOf(call: WantedCall, by: 'key' | 'connection'): string {
  const { sandbox } = call
  const name = call[by] ?? `without a ${by}`
  // The archive and the journal show the sandbox with the key.
  const isNamed = sandbox === undefined || sandbox === 'default' || name.endsWith(`+${sandbox}`)
  return isNamed ? name : `${name}+${sandbox}`
}
