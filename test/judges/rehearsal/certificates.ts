import { type Certificate, createCertificate } from '../../../src/judges/rehearsal/certificate.ts'
import { failsRehearsal, rehearsalReport } from '../../../src/judges/rehearsal/rehearsal-report.ts'
import type { SituationVerdict } from '../../../src/judges/rehearsal/verdict.ts'
import type { ReportExtension, ReportHead } from '../../../src/judges/report/report.ts'
import { writeReport } from '../../../src/judges/report/write-report.ts'
import { findingOf, givenUp, runOf, verdictOf } from './client-runs.ts'

const wait = 'Retry-After'

/** One of everything that a certificate can hold. */
export function certificateOfAll(text = 'plain'): Certificate {
  const early = {
    ...findingOf('early-retry', 'error', text),
    title: `3 calls came before ${wait} was over ${text}`,
  }
  const peak = findingOf('quota-peak', 'info', text)
  const titled = (name: string, title = `A situation ${text}`) => ({ name, title })
  const known: SituationVerdict = verdictOf(
    { expects: 'success' },
    [{ exitCode: 1, output: text }],
    titled('slow'),
  )
  const verdicts = [
    verdictOf({ expects: 'success' }, [{ findings: [peak] }], titled('free-plan')),
    verdictOf(
      { expects: 'success', recovers: 30_000 },
      [
        {
          exitCode: 1,
          findings: [early, peak],
          recovery: { kind: 'ended-early', ...givenUp, missingMs: 41_000 },
          facts: { calls: 31, refused: 9, early: 3 },
          calls: [
            {
              what: `GET /v1/pets?q=${text} → 200`,
              detail: '',
              at: '2026-03-02T09:00:00Z',
              request: 16,
              hasFailed: false,
            },
            { what: 'POST /v1/pets → 429', detail: 'rate_limit_exceeded', request: 17, hasFailed: true },
          ],
          output: `Error: 429 Too Many Requests\n    at listPets ${text}\n`,
        },
      ],
      titled(`ban ${text}`, 'One strike from a ban'),
    ),
    verdictOf({ expects: 'success' }, [{}, { exitCode: 1, output: text }, {}], titled('flaky')),
    verdictOf({ expects: 'either' }, [{ hung: true, output: '' }], titled('outage')),
    verdictOf(
      { recovers: 60_000 },
      [{ recovery: { kind: 'recovered', afterMs: 2_300, clientMs: 2_300 } }],
      titled('retry-after'),
    ),
    { ...known, known: true, reasons: known.reasons.map(reason => ({ ...reason, expected: true as const })) },
  ]
  return createCertificate({
    command: `node client.js ${text}`,
    calm: runOf(),
    verdicts,
    seed: 7,
    notes: [`pro-plan passes now: remove it from the baseline. ${text}`],
  })
}

/** The report of a rehearsal as its command writes it. */
export function writeRehearsal(
  extension: ReportExtension,
  certificate: Certificate,
  head?: ReportHead,
): string {
  return writeReport(extension, [rehearsalReport(certificate)], failsRehearsal(certificate), head)
}
