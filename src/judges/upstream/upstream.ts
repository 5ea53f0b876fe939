import type { Exchange } from '../../emulator/journal/exchange.ts'
import { redirectReason, redirectTarget } from '../../service/call/headers.ts'
import { evidenceOf } from '../conduct/observed-call.ts'
import { Availability } from '../conformance/answers.ts'
import { checks, type ProxyCheckId, proxyIds, remedyOf } from '../conformance/checks.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Evidence, Finding } from '../report/finding.ts'
import { judgedFact, type Report, type Unjudged } from '../report/report.ts'
import { createUnjudged, settleChecks, unjudgedCheck } from '../report/unjudged.ts'
import { judgeAnswer, judgeRefusal, type Remarks, readAnswer } from './answer.ts'
import { createWalkJudge, createWindowJudge } from './sequences.ts'

interface ServiceJudgeOptions {
  readonly base: string
  /** The plan of the keys, if it is known. */
  readonly plan?: string | undefined
  readonly textOf: (exchange: Exchange) => ShowText
}

/** Judges a service by the answers that pass, in bounded memory. In doubt it finds nothing, and notes the doubt. */
export function createServiceJudge({ base, plan, textOf }: ServiceJudgeOptions) {
  const availability = new Availability()
  const tally = createTally(textOf, availability)
  const windows = createWindowJudge(tally)
  const judgeWalk = createWalkJudge(tally)
  const redirected = createUnjudged()
  let calls = 0
  return {
    /** Returns false for a call of an operation that got no answer, or a redirect instead of one. */
    add: (exchange: Exchange): boolean => {
      const answer = readAnswer(exchange, base, tally.fault)
      if (answer === undefined) return true
      if ('lost' in answer) {
        availability.add(answer.operation, answer.lost)
        tally.fault('availability', exchange, `the service sent ${answer.lost}`)
        return false
      }
      const target = redirectTarget(answer.status, answer.headers)
      if (target !== undefined) {
        const text = textOf(exchange)
        redirected.add({ ...evidenceOf(exchange, text), detail: text(redirectReason(target)) })
        return false
      }
      availability.add(answer.operation)
      calls += 1
      judgeAnswer(answer, plan, tally)
      if (answer.status === 429) judgeRefusal(answer, windows.movesReset(answer), tally)
      windows.add(answer)
      judgeWalk(answer)
      return true
    },
    report: (): Report => ({
      judge: 'service',
      title: 'The service',
      ...settleChecks({
        checks: [...proxyIds.map(id => ({ id, title: checks[id].says })), unjudgedCheck],
        findings: tally.findings(),
        unjudged: [
          ...tally.unjudged(),
          // A service that answers nothing else must not look as if it passed.
          ...redirected
            .all(proxyIds)
            .map(one => (calls === 0 ? { ...one, severity: 'error' as const } : one)),
        ],
      }),
      facts: [
        judgedFact(calls, 'answer', {
          none:
            redirected.all(proxyIds).length === 0
              ? 'the service answered no operation of the API'
              : 'the service redirects every call',
        }),
      ],
      notes: [],
      flights: [],
    }),
  }
}

/** Further calls of a finding are only counted. */
const mostEvidence = 20

/** Collects remarks in bounded memory. `textOf` masks secrets. */
function createTally(textOf: ServiceJudgeOptions['textOf'], availability: Availability) {
  const found = new Map<ProxyCheckId, { count: number; readonly evidence: Evidence[] }>()
  const doubts = new Map<string, Unjudged>()
  const remarks: Remarks = {
    fault: (id, exchange, detail) => {
      const entry = found.get(id) ?? { count: 0, evidence: [] }
      found.set(id, entry)
      entry.count += 1
      if (entry.evidence.length >= mostEvidence) return
      const text = textOf(exchange)
      entry.evidence.push({ ...evidenceOf(exchange, text), detail: text(detail) })
    },
    doubt: (id, reason) => {
      const count = (doubts.get(`${id} ${reason}`)?.count ?? 0) + 1
      doubts.set(`${id} ${reason}`, { checks: [id], count, what: 'call', reason })
    },
  }
  return {
    ...remarks,
    findings: (): readonly Finding[] =>
      Array.from(found, ([id, entry]) => {
        const { says, source } = checks[id]
        const isLost = id === 'availability'
        // Few lost calls are a note.
        const { severity } = isLost ? availability : checks[id]
        const title = `Broken: ${says}${isLost ? `: ${availability.about}` : '.'}`
        return { id, severity, title, remedy: remedyOf(id), source, ...entry }
      }),
    unjudged: () => [...doubts.values()],
  }
}
