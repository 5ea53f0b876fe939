import { formatInstant } from '../../base/time/instant.ts'
import type { Breach } from '../../emulator/journal/breach.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { type Evidence, type Finding, type Severity, sortFindings } from '../report/finding.ts'
import type { Report } from '../report/report.ts'
import type { ContractCounts } from './judge-in-background.ts'

const rules = {
  'contract-status': 'a success has a status that its operation documents',
  'contract-media-type': 'a body has the media type that is documented',
  'contract-header': 'the headers that are documented are there, and of their type',
  'contract-body': 'a body has the schema that is documented',
  'contract-request': 'what is accepted was asked as the contract says',
} as const

type ContractId = keyof typeof rules
export const contractIds = Object.keys(rules) as readonly ContractId[]

/** Calls that are told of each finding: those that differ in more than what was asked of one route. */
const mostEvidence = 20

export interface ContractTally {
  /** `text` masks what no report may show. */
  readonly add: (exchange: Exchange, breaches: readonly Breach[], text: (text: string) => string) => void
  readonly report: (counts: ContractCounts) => Report
}

/** What to do about an answer that breaks the contract: whose answers are judged says which. */
export const contractRemedies = {
  emulator:
    'A rule of the scenario makes up an answer that the service cannot give, if nothing else did: let it keep the contract.',
  service: 'The service and its contract say different things: one of the two is to be put right.',
} as const

/** Gathers breaches for a report, bounded whatever comes. `severity`: how much a breach weighs. */
export function createContractTally(
  severity: Severity,
  remedy: string = contractRemedies.emulator,
): ContractTally {
  const found = new Map<ContractId, { count: number; evidence: Map<string, Evidence> }>()
  return {
    add: (exchange, breaches, text) => {
      for (const breach of breaches) {
        const id = idOf(breach)
        const entry = found.get(id) ?? { count: 0, evidence: new Map() }
        found.set(id, entry)
        entry.count += 1
        const evidence = tell(exchange, breach, text)
        const key = `${evidence.what} ${evidence.detail}`
        if (entry.evidence.size < mostEvidence && !entry.evidence.has(key)) entry.evidence.set(key, evidence)
      }
    },
    report: ({ judged, broken, skipped, unread }) => ({
      judge: 'contract',
      title: 'The contract',
      checks: contractIds.map(id => ({ id, title: rules[id] })),
      findings: sortFindings(
        Array.from(found, ([id, { count, evidence }]) =>
          findingOf(id, { severity, remedy }, count, [...evidence.values()]),
        ),
      ),
      facts: [{ name: 'Judged', value: `${judged} calls, of which ${broken} broke the contract` }],
      notes: [
        ...(skipped === 0
          ? []
          : [`${skipped} calls were not judged, since more came than could be: the report is partial.`]),
        ...(unread === 0
          ? []
          : [`${unread} calls were not judged, since their bodies are too large or cannot be decoded.`]),
      ],
      flights: [],
    }),
  }
}

function idOf({ side, part }: Breach): ContractId {
  if (side === 'request') return 'contract-request'
  return contractIds.find(id => id === `contract-${part.replace(' ', '-')}`) ?? 'contract-body'
}

function tell(
  { id, sandbox, at, call, reply }: Exchange,
  { message }: Breach,
  text: (text: string) => string,
): Evidence {
  const path = text(call.target.split('?')[0] ?? '')
  return {
    what: `${call.method} ${path} → ${reply.status}`,
    detail: text(message),
    at: formatInstant(at),
    request: id,
    sandbox,
  }
}

function findingOf(
  id: ContractId,
  { severity, remedy }: { readonly severity: Severity; readonly remedy: string },
  count: number,
  evidence: readonly Evidence[],
): Finding {
  return {
    id,
    severity,
    title: `It does not hold that ${rules[id]}.`,
    remedy:
      id === 'contract-request'
        ? 'The client asks for what another implementation may refuse: let it keep the contract.'
        : remedy,
    source: 'contract',
    count,
    evidence,
  }
}
