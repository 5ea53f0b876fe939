import type { ConductReport } from '../../../src/judges/conduct/conduct-report.ts'
import type { ClientRun, CommandEnd } from '../../../src/judges/rehearsal/client-run.ts'
import type { Recovery } from '../../../src/judges/rehearsal/recovery.ts'
import type { Rehearsal } from '../../../src/judges/rehearsal/rehearsal.ts'
import type { LoggedCall, RunFacts } from '../../../src/judges/rehearsal/run-log.ts'
import { judgeSituation, type SituationVerdict } from '../../../src/judges/rehearsal/verdict.ts'
import type { Finding } from '../../../src/judges/report/finding.ts'
import type { Unjudged } from '../../../src/judges/report/report.ts'

/** Something that a run did otherwise than a calm one. */
export interface Deviation {
  readonly exitCode?: number
  readonly hung?: boolean
  readonly recovery?: Recovery
  readonly findings?: readonly Finding[]
  readonly facts?: Partial<RunFacts>
  readonly output?: string
  readonly unmet?: string
  readonly unjudged?: readonly Unjudged[]
  readonly calls?: readonly LoggedCall[]
  /** How each instance ended, if several ran at once. */
  readonly instances?: readonly CommandEnd[]
  readonly alone?: ClientRun
}

/** Early calls that another process may have made. */
export function openCalls(count: number): readonly Unjudged[] {
  const reason = 'another client may have made them'
  return [{ checks: ['early-retry'], count, what: 'call', reason }]
}

/** The call that a client gave up. */
export const givenUp = {
  what: '429 rate_limit_exceeded',
  call: 'POST /v1/pets',
  repeated: [],
} as const

export function findingOf(id: string, severity: Finding['severity'] = 'error', text = ''): Finding {
  const evidence = [{ what: 'GET /v1/pets → 429', detail: `too early ${text}`, request: 17 }]
  return {
    id,
    severity,
    title: `Found ${id} ${text}`,
    remedy: `Mend ${id} ${text}`,
    source: 'A10',
    count: 3,
    evidence,
  }
}

const conduct: ConductReport = {
  judge: 'conduct',
  title: 'Conduct of the client',
  checks: [],
  findings: [],
  facts: [],
  notes: [],
  unjudged: [],
  flights: [
    {
      title: 'demo-f…',
      calls: [
        { at: 0, status: 200, left: { minute: [1, 60], day: [900, 1_000] } },
        { at: 30_000, status: 429, left: { minute: [0, 60], day: [900, 1_000] } },
        { at: 61_000, status: 200, left: { minute: [59, 60], day: [899, 1_000] } },
      ],
      spans: [{ kind: 'wait', from: 30_000, to: 60_000 }],
      omitted: 0,
    },
  ],
  calls: 20,
  evicted: 0,
  usage: [],
  expected: [],
}

export function runOf(deviation: Deviation = {}): ClientRun {
  const { exitCode = 0, hung = false, recovery = { kind: 'unneeded' }, findings = [], facts } = deviation
  const outcome: CommandEnd = hung ? { kind: 'hung', afterMs: 60_000 } : { kind: 'exited', exitCode }
  const counts = { calls: 20, succeeded: 20, refused: 0, outside: 0, early: 0, recovery }
  return {
    outcome,
    durationMs: 1_234,
    output: deviation.output ?? 'the output',
    facts: { ...counts, ...facts },
    conduct: { ...conduct, findings, unjudged: deviation.unjudged ?? [] },
    calls: deviation.calls ?? [],
    unmet: deviation.unmet,
    instances: deviation.instances,
    alone: deviation.alone,
  }
}

export const lenient: Rehearsal = {
  expects: 'either',
  recovers: undefined,
  allow: [],
  forbid: [],
  failOn: 'error',
  clock: undefined,
}

/** The verdict on runs in a situation that expects what `rehearsal` says. */
export function verdictOf(
  rehearsal: Partial<Rehearsal>,
  runs: readonly Deviation[],
  { name = 'ban', title = 'One strike from a ban' } = {},
): SituationVerdict {
  const situation = { name, file: { title }, rehearsal: { ...lenient, ...rehearsal } }
  return judgeSituation(situation, runs.map(runOf), runOf())
}
