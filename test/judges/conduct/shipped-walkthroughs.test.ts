import { expect, test } from 'vitest'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { createLanes } from '../../../src/doors/fetch/fetch-from.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { withFrozenClock } from '../../../src/judges/walkthrough/in-process.ts'
import { play } from '../../../src/judges/walkthrough/play.ts'
import { shippedWalkthroughs } from '../../../src/judges/walkthrough/shipped.ts'
import type { WalkthroughTarget } from '../../../src/judges/walkthrough/target.ts'
import { changing } from '../../support/changes.ts'
import { idsOf, watchConduct } from '../../support/flights.ts'
import { noon } from '../../support/scenarios.ts'

/** The findings in each shipped walkthrough. The walkthroughs that are not listed have none. */
const expectedFindings: Readonly<Record<string, readonly string[]>> = {
  'after-removal': ['removed-operation'],
  // The client returns after one minute of a five-minute ban.
  ban: ['call-during-ban'],
  // "The client repeats its mistake."
  'ban-escalation': ['banned ×3', 'early-retry ×6', 'quota-peak'],
  brownout: ['removed-operation', 'deprecated-operation ×5'],
  // A burst that was all under way. The call after it may be one of its callers.
  'business-plan': ['quota-peak'],
  // "A new minute does not help."
  'clock-skew': [],
  'clock-skew-behind': [],
  'daily-limit': ['early-retry'],
  'deprecated-get-pet': ['removed-operation', 'deprecated-operation'],
  downgrade: [],
  'empty-store': ['deprecated-operation'],
  flaky: ['quota-peak'],
  'free-plan': ['deprecated-operation', 'quota-peak'],
  'large-store': ['deprecated-operation', 'quota-peak'],
  midnight: ['quota-peak'],
  'not-found': ['deprecated-operation ×3'],
  precision: ['deprecated-operation ×3'],
  'pro-plan': ['quota-peak'],
  // The client waits for Retry-After.
  'rate-limit-exhaustion': [],
  // "A client that retries too early gets the remaining time."
  'retry-after': ['early-retry', 'quota-peak'],
  // Its calls come at once, and nothing that they got says when to come.
  'retry-after-hostile': ['no-backoff ×3', 'quota-peak'],
  'retry-after-zoo': ['quota-peak'],
  'shared-key': [],
  unauthorized: ['missing-key ×3'],
  'validation-errors': ['unknown-field'],
}

/** Plays a walkthrough on a frozen clock. Parallel calls have connections of their own. */
async function conductIn(name: string) {
  const scenario = withFrozenClock(settle(name, shippedScenarios.get(name) ?? {}, shippedFixtures))
  const now = scenario.clock.at ?? noon
  const emulator = createEmulator({ scenario, startedAt: now, runEvent: createEventRunner() })
  const report = watchConduct(emulator)
  const change = changing(emulator)
  const lanes = createLanes()
  const done = (outcome: ReturnType<typeof change>) =>
    outcome.ok ? ({ ok: true } as const) : ({ ok: false, impossible: outcome.refusal.message } as const)
  const target: WalkthroughTarget = {
    call: async ({ method, target, headers, body }) => {
      const connection = lanes.take()
      const reply = emulator.handle({
        method,
        target,
        headers: ['Host', '127.0.0.1', ...headers],
        body: body === undefined ? undefined : new TextEncoder().encode(body),
        scheme: 'http',
        client: '127.0.0.1',
        connection,
        receivedAt: now,
        order: performance.now(),
      })
      // The reply is on its way: what is called meanwhile is called in parallel.
      await Promise.resolve()
      lanes.release(connection)
      return { status: reply.status, headers: {}, text: reply.body ?? '' }
    },
    advance: ms => done(change({ do: 'advanceClock', by: `${ms}ms` }, undefined, now)),
    change: command => done(change(command, undefined, now)),
    cannotJudge: () => undefined,
  }
  const steps = shippedWalkthroughs.get(name) ?? []
  let played = 0
  for await (const step of play(steps, scenario.key, target)) played += step.impossible === undefined ? 1 : 0
  expect(played).toBe(steps.length)
  return idsOf(report())
}

test.each([...shippedScenarios.keys()])('%s', async name => {
  expect(await conductIn(name)).toEqual(expectedFindings[name] ?? [])
})

test('the table names existing scenarios', () => {
  expect(Object.keys(expectedFindings).filter(name => !shippedScenarios.has(name))).toEqual([])
})
