import { formatTimes } from '../../base/text/quantities.ts'

export function formatRefusals(count: number): string {
  return `refused ${formatTimes(count)}`
}

export function formatPace({ scale }: { readonly scale: number }): string {
  if (scale === 0) return 'frozen'
  return scale === 1 ? 'running' : `running at ${scale}x speed`
}

/** Joins texts with commas, without the empty ones. */
export function listFacts(facts: readonly string[]): string {
  return facts.filter(fact => fact !== '').join(', ')
}
