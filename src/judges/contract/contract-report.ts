import { groupDigits } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import { type Evidence, type Severity, sortFindings } from '../report/finding.ts'
import { judgedFact } from '../report/judged.ts'
import type { Report } from '../report/report.ts'
import { createUnjudged, unjudgedCheck } from '../report/unjudged.ts'
import type { ContractCounts } from './judge-in-background.ts'

/** What the contract requires. The ids are public: reports name them. */
export const contractChecks = {
  'contract-status': 'a success must have a status that the operation documents',
  'contract-media-type': 'a body must have a documented media type',
  'contract-header': 'the documented headers must be present, with values of their types',
  'contract-body': 'a body must match its documented schema',
  'contract-request': 'an accepted request must match the contract',
} as const

export type ContractId = keyof typeof contractChecks
export const contractIds = Object.keys(contractChecks) as readonly ContractId[]

/** The check that a breach fails. */
export function failedCheck({ side, part }: Breach): ContractId {
  if (side === 'request') return 'contract-request'
  return contractIds.find(id => id === `contract-${part.replace(' ', '-')}`) ?? 'contract-body'
}

/** Calls listed for each finding. Calls that differ only in their query are listed once. */
const mostEvidence = 20

/** What to do about a response that breaks the contract, by who sent it. */
export const contractRemedies = {
  emulator:
    'Usually a rule of the scenario injects a response that the service cannot send: change the rule to keep the contract.',
  service: 'The service and the contract disagree: correct one of them.',
} as const

const remedyOfRequests =
  'Another implementation may reject this request: change the client to keep the contract.'

/** Collects breaches for a report, in bounded memory. Findings get the `severity`. */
export function createContractTally(severity: Severity, remedy: string = contractRemedies.emulator) {
  const unjudged = createUnjudged(severity)
  const found = new Map<ContractId, { count: number; evidence: Map<string, Evidence> }>()
  return {
    /** `mask` replaces the keys in a text. */
    add: (exchange: Exchange, breaches: readonly Breach[], mask: (text: string) => string): void => {
      for (const breach of breaches) {
        const id = failedCheck(breach)
        const entry = found.get(id) ?? { count: 0, evidence: new Map() }
        found.set(id, entry)
        entry.count += 1
        const evidence = evidenceOf(exchange, breach.message, mask)
        const key = `${evidence.what} ${evidence.detail}`
        if (entry.evidence.size < mostEvidence && !entry.evidence.has(key)) entry.evidence.set(key, evidence)
      }
    },
    /** Adds a call without a verdict, and its reason. */
    addUnjudged: (exchange: Exchange, reason: string, mask: (text: string) => string): Evidence => {
      const evidence = evidenceOf(exchange, reason, mask)
      unjudged.add(evidence)
      return evidence
    },
    report: ({ judged, broken }: ContractCounts): Report => ({
      judge: 'contract',
      title: 'The contract',
      checks: [...contractIds.map(id => ({ id, title: contractChecks[id] })), unjudgedCheck],
      findings: sortFindings([
        ...unjudged.findings(),
        ...Array.from(found, ([id, { count, evidence }]) => ({
          id,
          title: `Broken: ${contractChecks[id]}.`,
          remedy: id === 'contract-request' ? remedyOfRequests : remedy,
          source: 'contract',
          severity,
          count,
          evidence: [...evidence.values()],
        })),
      ]),
      facts: [
        judgedFact(judged, 'call', {
          about: `; ${groupDigits(broken)} broke the contract`,
          none: unjudged.notes().length === 0 ? 'no call was made' : 'no call could be judged',
        }),
      ],
      notes: unjudged.notes(),
      flights: [],
    }),
  }
}

function evidenceOf(
  { id, sandbox, at, call, reply }: Exchange,
  detail: string,
  mask: (text: string) => string,
): Evidence {
  const path = mask(call.target.split('?')[0] ?? '')
  return {
    what: `${call.method} ${path} → ${reply.status}`,
    detail: mask(detail),
    at: formatInstant(at),
    request: id,
    sandbox,
  }
}
