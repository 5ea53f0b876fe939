import { groupDigits } from '../../base/text/quantities.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { evidenceOf } from '../conduct/observed-call.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { type Evidence, type Finding, sortFindings } from '../report/finding.ts'
import { notJudged } from '../report/judged.ts'
import { type ServiceId, serviceChecks } from './checks.ts'

/** What judges say: a fault, or what they could not judge and why. */
export interface Remarks {
  readonly fault: (id: ServiceId, exchange: Exchange, detail: string) => void
  /** `what` and `why` are clauses of one sentence, from a fixed set. */
  readonly doubt: (what: string, why: string) => void
}

export interface ServiceTally extends Remarks {
  readonly findings: () => readonly Finding[]
  readonly notes: () => readonly string[]
}

/** Further calls of a finding are only counted. */
const mostEvidence = 20

/** Collects remarks in bounded memory. `textOf` masks secrets. */
export function createServiceTally(textOf: (exchange: Exchange) => ShowText): ServiceTally {
  const found = new Map<ServiceId, { count: number; readonly evidence: Evidence[] }>()
  const doubts = new Map<string, number>()
  return {
    fault: (id, exchange, detail) => {
      const entry = found.get(id) ?? { count: 0, evidence: [] }
      found.set(id, entry)
      entry.count += 1
      if (entry.evidence.length >= mostEvidence) return
      const text = textOf(exchange)
      entry.evidence.push({ ...evidenceOf(exchange, text), detail: text(detail) })
    },
    doubt: (what, why) => {
      const reason = `${what}, because ${why}`
      doubts.set(reason, (doubts.get(reason) ?? 0) + 1)
    },
    findings: () =>
      sortFindings(
        Array.from(found, ([id, { count, evidence }]) => {
          const { severity, says, remedy, source } = serviceChecks[id]
          return { id, severity, title: `Broken: ${says}.`, remedy, source, count, evidence }
        }),
      ),
    notes: () =>
      Array.from(doubts, ([reason, count]) =>
        notJudged(count === 1 ? 'once' : `${groupDigits(count)} times`, reason),
      ),
  }
}
