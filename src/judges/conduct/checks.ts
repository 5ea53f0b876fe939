import { type FindingId, findingIds } from '../../control/scenario/settings/finding-ids.ts'
import type { Severity } from '../report/finding.ts'
import texts from './checks.json' with { type: 'json' }

/** A check of conduct, whose finding has the same id. */
interface ConductCheck {
  readonly severity: Severity
  /** What must hold, as reports list it. */
  readonly requirement: string
  /** `count`: how often it was found. `most`: the greatest size noted. */
  readonly title: (count: number, most: number) => string
  readonly remedy: string
  readonly source: string
}

export type ConductId = FindingId

/** Every check by its id. docs/findings.md lists each, and docs/conduct.md its threshold. */
export const conductChecks = Object.fromEntries(
  findingIds.map(id => {
    const { what, found, severity, ...others } = texts[id]
    const title = (count: number, most: number) => {
      const [plural, verb] = count === 1 ? ['', 'was'] : ['s', 'were']
      return `${count} ${what}${plural} ${found.replace('{was}', verb).replace('{most}', seconds(most))}`
    }
    return [id, { ...others, severity: severity as Severity, title }]
  }),
) as Readonly<Record<ConductId, ConductCheck>>

export const waitIds = ['early-retry', 'call-during-ban', 'called-while-limited', 'banned'] as const

/** The errors first. */
export const conductIds = findingIds

/** Milliseconds as text: `250 ms`, `58.2 s`. */
export function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}
