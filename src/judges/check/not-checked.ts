import { type CheckId, checkIds } from './calls/checks.ts'
import type { CheckRun } from './run/check-run.ts'
import type { Part } from './run/part.ts'

/** A check that was not made, or whose outcome is open, and why. */
export interface NotChecked {
  readonly id: CheckId
  /** A sentence without its full stop. */
  readonly reason: string
}

/** Every check without an outcome. `ended` says why the run ended early, and which parts it left out. */
export function notChecked(
  { ledger, options }: CheckRun,
  parts: readonly Part[],
  ended: { readonly reason: string; readonly parts: readonly Part[] } | undefined,
): readonly NotChecked[] {
  const without = (id: CheckId): string => {
    const part = parts.find(({ makes }) => makes.includes(id))
    if (part?.needs === '--allow-writes' && !options.allowsWrites)
      return 'nobody can delete new animals; --allow-writes creates some'
    if (part?.needs === '--exhaust' && !options.exhausts) return '--exhaust uses up the quota to check it'
    const situation = situations[id]
    if (situation !== undefined) return situation
    if (ended !== undefined && (part === undefined || ended.parts.includes(part))) return ended.reason
    return 'no response showed it'
  }
  return checkIds.flatMap(id => {
    // A check that failed on one call is judged, whatever was open on another.
    if (ledger.isFailed(id)) return []
    const open = ledger.open.get(id)
    if (open === undefined && ledger.checked.has(id)) return []
    return [{ id, reason: open ?? ledger.unmade.get(id) ?? without(id) }]
  })
}

/** Checks that need a response of some kind. */
const situations: Partial<Record<CheckId, string>> = {
  'auth-scheme': 'no 401 had a challenge',
  'auth-challenge': 'no 401 came',
  'method-allow': 'no 405 came',
  'retry-format': 'no 429 had Retry-After',
  'retry-ahead': 'no 429 had Retry-After',
  'retry-agrees': 'no 429 had both headers',
  'retry-not-stored': 'no 429 came; --exhaust causes one',
  'limit-remaining-zero': 'no 429 came; --exhaust causes one',
  'create-location-own': 'no 201 had a Location with an id',
  'error-status': 'no error of the specification came',
  'error-shape': 'no other error came',
  'limit-counts-errors': 'no two responses around an error came in one window',
  'page-linked': 'the store has too few animals',
}
