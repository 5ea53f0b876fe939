import { groupDigits } from '../../base/text/quantities.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Breach, Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Evidence } from '../report/finding.ts'
import { judgedFact, type Report } from '../report/report.ts'
import { commonChecks, createUnjudged, reasonOf, settleChecks } from '../report/unjudged.ts'
import type { Judgement } from './judge.ts'

/** What the contract requires. The ids are public: reports name them. */
export const contractChecks = {
  'contract-status': 'a success must have a status that the operation documents',
  'contract-media-type': 'a body must have a documented media type',
  'contract-header': 'the documented headers must be present, with values of their types',
  'contract-body': 'a body must match its documented schema',
  'contract-request': 'an accepted request must match the contract',
} as const

/** What the contract only assumes: of a service, a breach is a note. */
export const assumedContractChecks = {
  'contract-assumed': 'what the contract assumes about responses must hold',
  'error-shape': 'an error that the specification does not document must be an Error, too',
} as const

const allChecks = { ...contractChecks, ...assumedContractChecks }
type ContractId = keyof typeof allChecks
export const contractIds = Object.keys(allChecks) as readonly ContractId[]

/** The check that a breach fails. Without a `judgement`, nothing is assumed. */
export function failedCheck(breach: Breach, judgement?: Judgement): ContractId {
  const { side, part } = breach
  if (side === 'request') return 'contract-request'
  if (judgement?.assumed.has(breach)) return judgement.isOtherError ? 'error-shape' : 'contract-assumed'
  return contractIds.find(id => id === `contract-${part.replace(' ', '-')}`) ?? 'contract-body'
}

/** Calls listed for each finding. Calls that differ only in their query are listed once. */
const mostEvidence = 20

/** What to do about a response that breaks the contract, by who sent it. */
const remedies = {
  emulator:
    'Usually a rule of the scenario injects a response that the service cannot send: change the rule to keep the contract.',
  service: 'The service and the contract disagree: correct one of them.',
} as const

const remedyOfRequests =
  'Another implementation may reject this request: change the client to keep the contract.'

export type Judged = keyof typeof remedies

const asNote = {
  remedy:
    'The service may differ here: openapi.yaml marks this with x-assumption, because the specification does not say it.',
  source: 'contract, x-assumption',
  severity: 'info',
} as const

/** Collects breaches for a report, in bounded memory. What the contract only assumes of a service is a note. */
export function createContractTally(judged: Judged) {
  const unjudged = createUnjudged()
  /** Calls whose answer lies elsewhere, or that the user broke off: without a verdict, and no mistake. */
  const open = createUnjudged()
  let broken = 0
  /** Calls that differ only in what the contract assumes. */
  let differing = 0
  const ids = contractIds.filter(id => judged === 'service' || !isNote(id))
  const found = new Map<ContractId, { count: number; evidence: Map<string, Evidence> }>()
  return {
    /** Returns what breaks the contract, and not only what it assumes. `mask` replaces the keys in a text. */
    add: (exchange: Exchange, judgement: Judgement, mask: ShowText): readonly Breach[] => {
      const known = judged === 'service' ? judgement : undefined
      const failed = judgement.breaches.map(breach => ({ breach, id: failedCheck(breach, known) }))
      const real = failed.flatMap(({ breach, id }) => (isNote(id) ? [] : [breach]))
      if (real.length === 0) differing += 1
      else broken += 1
      for (const { breach, id } of failed) {
        const entry = found.get(id) ?? { count: 0, evidence: new Map() }
        found.set(id, entry)
        entry.count += 1
        const evidence = evidenceOf(exchange, breach.message, mask)
        const key = `${evidence.what} ${evidence.detail}`
        if (entry.evidence.size < mostEvidence && !entry.evidence.has(key)) entry.evidence.set(key, evidence)
      }
      return real
    },
    /** Adds a call without a verdict, and its reason: a clause, or the error of pet-mock. */
    addUnjudged: (exchange: Exchange, reason: unknown, mask: ShowText): Evidence => {
      const isFailure = typeof reason !== 'string'
      const evidence = evidenceOf(exchange, isFailure ? reasonOf(reason) : reason, mask)
      unjudged.add(evidence, isFailure)
      return evidence
    },
    /** Adds a call that no contract can judge. `reason`: a clause. */
    addOpen: (exchange: Exchange, reason: string, mask: ShowText): void =>
      open.add(evidenceOf(exchange, reason, mask)),
    /** `calls`: those that got a verdict. */
    report: (calls: number): Report => ({
      judge: 'contract',
      title: 'The contract',
      ...settleChecks({
        checks: [...ids.map(id => ({ id, title: allChecks[id] })), ...commonChecks],
        findings: [
          ...unjudged.failures(),
          ...Array.from(found, ([id, { count, evidence }]) => ({
            id,
            ...(isNote(id)
              ? asNote
              : {
                  remedy: id === 'contract-request' ? remedyOfRequests : remedies[judged],
                  source: 'contract',
                  severity: 'error' as const,
                }),
            title: `Broken: ${allChecks[id]}.`,
            count,
            evidence: [...evidence.values()],
          })),
        ],
        unjudged: [
          ...unjudged.all(ids).map(one => ({ ...one, severity: 'error' as const })),
          // A service that answers nothing else must not look as if it kept the contract.
          ...open.all(ids).map(one => (calls === 0 ? { ...one, severity: 'error' as const } : one)),
        ],
      }),
      facts: [
        judgedFact(calls, 'call', {
          about: countBroken(broken, differing),
          none:
            unjudged.all(ids).length + open.all(ids).length === 0
              ? 'no call got an answer to judge'
              : 'no call could be judged',
        }),
      ],
      notes: [],
      flights: [],
    }),
  }
}

/** `differing`: calls that differ only in what the contract assumes. */
function countBroken(broken: number, differing: number): string {
  const verb = differing === 1 ? 'differs' : 'differ'
  const others = differing === 0 ? '' : `, ${groupDigits(differing)} ${verb} from what it only assumes`
  return `; ${groupDigits(broken)} broke the contract${others}`
}

function isNote(id: ContractId): boolean {
  return id in assumedContractChecks
}

function evidenceOf({ id, sandbox, at, call, reply }: Exchange, detail: string, mask: ShowText): Evidence {
  const path = mask(call.target.split('?')[0] ?? '')
  return {
    what: `${call.method} ${path} → ${reply.status}`,
    detail: mask(detail),
    at: formatInstant(at),
    request: id,
    sandbox,
  }
}
