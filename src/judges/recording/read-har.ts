import { readTarget } from '../../service/call/target.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { type ArchivedCall, archivedCalls } from './archived-call.ts'
import { type Entries, harEntries } from './har-entries.ts'
import { type LeftOutList, mostCalls, type SeenCall } from './seen-call.ts'

export interface HarCalls {
  readonly calls: readonly SeenCall[]
  /** The base URL of the API whose calls these are; undefined if there are none. */
  readonly base: string | undefined
}

/**
 * Reads the calls of one API from an HTTP archive. `base`: its base URL, with the path; by default the one with the most
 * calls of known operations. Undefined if the text is no archive.
 */
export function readHar(text: string, base: string | undefined, leftOut: LeftOutList): HarCalls | undefined {
  const found: Entries = { isArchive: false, isWhole: false }
  const archived: ArchivedCall[] = []
  for (const entry of archivedCalls(harEntries(new TextEncoder().encode(text), found), base, leftOut)) {
    if (!entry.isAnswered) leftOut.add('there is no complete answer')
    else if (entry.isCut) leftOut.add('the body of the call was not kept')
    else if (archived.length >= mostCalls) leftOut.add(`calls beyond the first ${mostCalls}`)
    else archived.push(entry)
  }
  if (!found.isArchive) return undefined
  if (!found.isWhole) leftOut.add('the archive is cut off in the middle of an entry')
  const { chosen, ofBase } = chooseBase(archived, base, leftOut, ({ call }) => call)
  // Browsers leave all keys out, other programs none.
  const hasKeys = archived.some(({ call }) => typeof call.key === 'string')
  const calls = ofBase.map(({ call }) => (hasKeys ? { ...call, key: call.key ?? null } : call))
  return { calls, base: chosen }
}

/** Keeps the calls of one API: those below `base`, or below the base URL with the most calls of known operations. */
export function chooseBase<T extends { readonly base: string }>(
  archived: readonly T[],
  base: string | undefined,
  leftOut: LeftOutList,
  callOf: (entry: T) => Pick<SeenCall, 'method' | 'target'>,
): { readonly chosen: string | undefined; readonly ofBase: readonly T[] } {
  const counts = new Map<string, number>()
  for (const entry of archived) {
    const { method, target } = callOf(entry)
    const isKnown = operationAt(readTarget(target).path, method) !== undefined
    counts.set(entry.base, (counts.get(entry.base) ?? 0) + (isKnown ? 1 : 0))
  }
  const chosen = base ?? [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
  for (const entry of archived)
    if (entry.base !== chosen) leftOut.add('calls of other addresses', hostOf(entry.base))
  return { chosen, ofBase: archived.filter(entry => entry.base === chosen) }
}

function hostOf(base: string): string {
  return base.split('/')[2] ?? base
}
