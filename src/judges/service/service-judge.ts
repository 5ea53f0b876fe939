import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { judgedFact } from '../report/judged.ts'
import type { Report } from '../report/report.ts'
import { serviceChecks, serviceIds } from './checks.ts'
import { judgeAnswer } from './judge-answer.ts'
import { judgeRefusal } from './judge-refusals.ts'
import { createWalkJudge } from './judge-walks.ts'
import { createWindowJudge } from './judge-windows.ts'
import { readServiceAnswer } from './service-answer.ts'
import { createServiceTally } from './service-tally.ts'

interface ServiceJudgeOptions {
  /** The API's base path. */
  readonly base: string
  /** Masks the secrets of an exchange. */
  readonly textOf: (exchange: Exchange) => ShowText
}

/** Judges a service by the answers that pass, in bounded memory. In doubt it finds nothing, and notes the doubt. */
export function createServiceJudge({ base, textOf }: ServiceJudgeOptions) {
  const tally = createServiceTally(textOf)
  const windows = createWindowJudge(tally)
  const judgeWalk = createWalkJudge(tally)
  let calls = 0
  return {
    add: (exchange: Exchange): void => {
      const answer = readServiceAnswer(exchange, base)
      if (answer === undefined) return
      calls += 1
      judgeAnswer(answer, tally)
      if (answer.status === 429) judgeRefusal(answer, windows.movesReset(answer), tally)
      windows.add(answer)
      judgeWalk(answer)
    },
    report: (): Report => ({
      judge: 'service',
      title: 'The service',
      checks: serviceIds.map(id => ({ id, title: serviceChecks[id].says })),
      findings: tally.findings(),
      facts: [judgedFact(calls, 'answer', { none: 'the service answered no operation of the API' })],
      notes: tally.notes(),
      flights: [],
    }),
  }
}
