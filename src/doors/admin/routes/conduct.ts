import { conductIds } from '../../../judges/conduct/checks.ts'
import type { ConductReport, KeyUsage } from '../../../judges/conduct/conduct-report.ts'
import { type ExpectedFinding, expectableIds, expectedCheck } from '../../../judges/conduct/expected.ts'
import { judgeWorlds } from '../../../judges/conduct/judge-worlds.ts'
import { type Evidence, type Finding, severities } from '../../../judges/report/finding.ts'
import type { Flight, FlightCall } from '../../../judges/report/flight.ts'
import type { Check, Unjudged } from '../../../judges/report/report.ts'
import { judgeFailedCheck } from '../../../judges/report/unjudged.ts'
import { json, refusal } from '../routing/replies.ts'
import { choiceField, needed, partOf, requestNumber } from '../routing/request-fields.ts'
import { type Route, route } from '../routing/route.ts'
import { finishInTurns } from '../routing/turns.ts'
import * as view from '../routing/views.ts'

// Only a rehearsal has instances.
const evidence = view.object<'what' | 'detail'>(
  { what: view.text('The call and its response.'), detail: view.text('The reason why it counts.') },
  {
    count: view.count('Number of similar calls. Default: 1.'),
    at: view.instant('Time on the emulator’s clock.'),
    request: view.of('integer', 'Id in the journal.'),
    sandbox: view.anyText,
    caller: view.text('The key, masked.'),
    curl: view.text('A shell command that repeats the call.'),
  } satisfies Record<Exclude<keyof Evidence, 'what' | 'detail' | 'instance'>, view.JsonSchema>,
)

const finding = view.named<Exclude<keyof Finding, 'expected' | 'instances'>>(
  'Finding',
  {
    id: view.choice([...conductIds, expectedCheck.id, judgeFailedCheck.id], 'The finding’s id.'),
    severity: view.choice(severities),
    title: view.text('The finding, with its numbers.'),
    remedy: view.text('How to fix it.'),
    source: view.text('The source of the check, such as an RFC.'),
    count: view.count('Number of occurrences.'),
    evidence: view.list(evidence, 'The first occurrences.'),
  },
  { expected: view.flag('True if a test expected it: it fails nothing.') },
)

const expected = {
  id: view.of('string', 'The finding’s id.', 'banned'),
  sandbox: view.anyText,
  from: view.of('integer', 'The id of the first request that it covers.'),
}

const left = {
  ...view.list(view.of('integer'), 'Calls left in the window after the call, and its limit.'),
  examples: [[59, 60]],
}
const instant = view.of('number', 'Milliseconds since the epoch.')

const flight = view.named<keyof Flight>('Flight', {
  title: view.text('The caller.'),
  calls: view.list(
    // Conduct draws every call by itself.
    view.object<Exclude<keyof FlightCall, 'count'>>({
      id: view.count('Its id in the journal of its sandbox.'),
      at: instant,
      status: view.of('integer'),
      left: view.orNull(view.object({ minute: left, day: left })),
    }),
  ),
  spans: view.list(
    view.object({ kind: view.choice(['wait', 'ban']), from: instant, to: instant }),
    'When the caller had to wait, and when its key was banned.',
  ),
  omitted: view.count('Earlier calls that the chart leaves out.'),
})

const peak = view.named('WindowPeak', {
  used: view.count('The most calls that the client used in one window.'),
  limit: view.count('The quota of the window.'),
  start: view.count('What the scenario says was used before the client’s first call.'),
  wanted: view.count('The quota that would have accepted every call.'),
})

const usage = view.named<keyof KeyUsage>('KeyUsage', {
  key: view.text('The key, masked.'),
  plan: view.orNull(view.anyText),
  calls: view.count('Calls with the key.'),
  refused: view.count('Calls that a limit or a ban refused.'),
  peak: view.object({ minute: peak, day: peak }),
  smallestPlan: view.orNull(view.text('The smallest plan that would have accepted every call; null: none.')),
})

const conductReport = view.named<keyof ConductReport>('Conduct', {
  judge: view.choice(['conduct']),
  title: view.anyText,
  checks: view.list(
    view.object<keyof Check>({
      id: view.anyText,
      title: view.anyText,
      result: view.choice(['passed', 'failed', 'unjudged']),
    }),
    'Every check that ran.',
  ),
  findings: view.list(finding, 'The most severe first.'),
  facts: view.list(view.object({ name: view.anyText, value: view.anyText })),
  notes: view.list(view.anyText, 'Restrictions of the report, such as missing calls.'),
  unjudged: view.list(
    view.object<'checks' | 'count' | 'what' | 'reason'>(
      {
        checks: view.list(view.anyText, 'The ids of the checks that stay open.'),
        count: view.count('How many calls could not be judged.'),
        what: view.choice(['call', 'check']),
        reason: view.text('Why, as a clause.'),
      },
      {
        evidence: view.list(evidence, 'The first calls.'),
        severity: view.choice(severities),
      } satisfies Record<Exclude<keyof Unjudged, 'checks' | 'count' | 'what' | 'reason'>, view.JsonSchema>,
    ),
    'What could not be judged.',
  ),
  flights: view.list(flight, 'The data of the charts; empty unless requested.'),
  calls: view.count('Number of judged calls.'),
  evicted: view.count('Earlier calls that the journal dropped, so they were not judged.'),
  usage: view.list(usage, 'By key, over all sandboxes.'),
  expected: view.list(
    view.object<keyof ExpectedFinding>({
      ...expected,
      count: view.count('How often it came.'),
    }),
    'What tests expect since the last restart of each sandbox.',
  ),
})

const findingIds = choiceField(expectableIds, '')

export const conductRoutes: readonly Route[] = [
  route({
    id: 'getConduct',
    readsJournal: true,
    on: ['GET', '/conduct'],
    about: 'Judges how clients behave, by the requests in the journal.',
    sandbox: 'any',
    query: {
      flights: choiceField(['true', 'false'], 'Whether to include the data of the charts. Default: false.'),
      request: requestNumber(
        'The id of a request. Only findings with this evidence, without their other evidence. Default: all findings.',
        17,
      ),
    },
    answer: { about: 'Findings, and the use of quotas.', schema: conductReport },
    serve: async ({ worlds, query, waiting, controls }) => {
      const { sandboxes } = controls.emulator
      const wanted = { flights: query.flights === 'true', request: query.request }
      return json(await finishInTurns(judgeWorlds(worlds, sandboxes, wanted), waiting))
    },
  }),
  route({
    id: 'expectFinding',
    readsJournal: true,
    on: ['POST', '/conduct/expected'],
    about: 'Expects a finding in the sandbox from now on, until it restarts or is deleted.',
    sandbox: 'named',
    body: partOf({ id: needed(findingIds.shape, String, 'The id of the finding.', 'banned') }),
    answer: { about: 'The expectation.', status: 201, schema: view.object(expected) },
    serve: ({ controls, sandbox, now, body: { id } }) => {
      if (sandbox === '*')
        return refusal('invalid_parameter', 'sandbox: expected the name of one sandbox, found "*".')
      const { sandboxes } = controls.emulator
      const name = sandbox ?? sandboxes.default.sandbox
      // A test may expect a finding before the first call, which creates its sandbox.
      controls.change(name, { do: 'createSandbox', name }, now)
      const next = sandboxes.get(name)?.nextExchange ?? 1
      const { from } = sandboxes.expectations.expect(name, id, next)
      return json({ id, sandbox: name, from }, 201)
    },
  }),
]
