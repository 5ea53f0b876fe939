import { formatCount } from '../../base/text/quantities.ts'
import { type Expectation, isOpen } from '../../emulator/worlds/expectations.ts'
import type { Finding } from '../report/finding.ts'
import { type ConductId, conductIds } from './checks.ts'

/** The finding about expected findings that did not come. */
export const expectedCheck = { id: 'expected-finding', title: 'every expected finding comes' } as const

/** What a test can expect. A quota's peak is a measurement of a key in all sandboxes. */
export const expectableIds: readonly Exclude<ConductId, 'quota-peak'>[] = conductIds.filter(
  id => id !== 'quota-peak',
)

/** An expected finding, and how often it came. */
export interface ExpectedFinding {
  readonly id: string
  readonly sandbox: string
  /** The id of the first request that it covers. */
  readonly from: number
  readonly count: number
}

/** Expectations of a run. `forgotten`: how many are too old to be known. */
export interface Expected {
  readonly all: readonly Expectation[]
  readonly forgotten: number
}

const mostEvidence = 20

export function missingFindings(missing: readonly Expectation[]): readonly Finding[] {
  const { length: count } = missing
  if (count === 0) return []
  return [
    {
      id: expectedCheck.id,
      severity: 'error',
      title: `${formatCount(count, 'expected finding')} did not come.`,
      remedy: 'Make the calls that lead to the finding, or remove the expectation from the test.',
      source: 'POST /__admin/conduct/expected',
      count,
      evidence: missing.slice(0, mostEvidence).map(expectation => ({
        what: expectation.id,
        detail: describePeriod(expectation),
        sandbox: expectation.sandbox,
      })),
    },
  ]
}

function describePeriod(expectation: Expectation): string {
  const { from, to } = expectation
  if (isOpen(expectation)) return `expected from request #${from} on`
  if (to === from) return 'the sandbox restarted before any request came'
  return `expected from request #${from} until the sandbox restarted after #${to - 1}`
}
