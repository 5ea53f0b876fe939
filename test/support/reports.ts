import { formatCount } from '../../src/base/text/quantities.ts'
import type { Finding } from '../../src/judges/report/finding.ts'
import type { Report } from '../../src/judges/report/report.ts'
import { settleChecks, unjudgedCheck } from '../../src/judges/report/unjudged.ts'

/** Texts that would be marks of every form, were they not escaped. */
export const hostile =
  '<script>alert("1")</script> & \'2\' ]]> | `x` *b* ::error:: %0A \u0000\u0007\u{1f436}\n# y'

const call = {
  what: 'GET /v1/pets → 429',
  detail: '58.2 s before Retry-After was over',
  at: '2026-03-02T09:00:01Z',
}

/** An error, a warning, a note and what a test expected. */
function findingsOf(text: string): readonly Finding[] {
  return [
    {
      id: 'early-retry',
      severity: 'error',
      title: `Retried too early ${text}`,
      remedy: `Wait ${text}`,
      source: `Specification ${text}`,
      count: 12,
      evidence: [
        { ...call, request: 17, sandbox: 'worker-3', caller: `demo-f… ${text}`, curl: `curl ${text}` },
        { ...call, what: `GET /v1/pets?${text}`, detail: text },
      ],
    },
    {
      id: 'unknown-parameter',
      severity: 'warning',
      title: text,
      remedy: text,
      source: text,
      count: 1,
      evidence: [{ what: text, detail: '' }],
    },
    {
      id: 'off-the-list',
      severity: 'info',
      title: text,
      remedy: text,
      source: text,
      count: 1,
      evidence: [],
    },
    {
      id: 'banned',
      severity: 'error',
      expected: true,
      title: `One ban ${text}`,
      remedy: `Stop ${text}`,
      source: text,
      count: 1,
      evidence: [{ ...call, request: 18, sandbox: 'worker-3' }],
    },
  ]
}

/** One of everything that a report can hold, with a check that is not judged. */
export function reportOfAll(text = 'plain'): Report {
  return {
    judge: 'conduct',
    title: `Conduct ${text}`,
    ...settleChecks({
      checks: [
        { id: 'early-retry', title: 'waits as long as Retry-After says' },
        { id: 'unknown-parameter', title: `asks with parameters that there are ${text}` },
        { id: 'called-while-limited', title: `stops all calls ${text}` },
        { id: 'clean', title: 'is found by nobody' },
        unjudgedCheck,
      ],
      findings: findingsOf(text),
      unjudged: [
        { checks: ['early-retry', 'called-while-limited'], count: 2, what: 'call', reason: `late ${text}` },
        {
          checks: ['called-while-limited'],
          count: 1,
          what: 'call',
          reason: text,
          evidence: [{ ...call, request: 19 }],
        },
      ],
    }),
    facts: [{ name: text, value: text }],
    notes: [text],
    flights: [
      {
        title: text,
        calls: [
          { at: 0, status: 200, left: { minute: [1, 60], day: [900, 1_000] } },
          { at: 30_000, status: 429, left: { minute: [0, 60], day: [900, 1_000] } },
          { at: 31_000, status: 401, left: null },
          { at: 32_000, status: 503, left: null },
        ],
        spans: [
          { kind: 'wait', from: 30_000, to: 60_000 },
          { kind: 'ban', from: 31_000, to: 331_000 },
        ],
        omitted: 3,
      },
    ],
  }
}

/** The lines of a page, without its head and its charts. */
export function bodyOf(html: string): readonly string[] {
  return html
    .slice(html.indexOf('<body>'))
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '<svg>')
    .split('\n')
}

/** What a report did not judge: `3 calls (early-retry, banned): the clock of pet-mock was frozen`. */
export function unjudgedTexts({ unjudged }: Pick<Report, 'unjudged'>): readonly string[] {
  return unjudged.map(
    ({ checks, count, what, reason }) => `${formatCount(count, what)} (${checks.join(', ')}): ${reason}`,
  )
}
