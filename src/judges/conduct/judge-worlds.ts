import { isOpen } from '../../emulator/worlds/expectations.ts'
import { createKnownKeys, type Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { showOf } from '../inspection/requests.ts'
import { createConduct } from './conduct.ts'
import { type ConductReport, reportConduct } from './conduct-report.ts'
import type { ConductContext } from './observed-call.ts'

/** `find` returns the world of a sandbox that is judged. The keys of all sandboxes are masked. */
export function conductContext(
  find: (sandbox: string) => World | undefined,
  sandboxes: Sandboxes,
): ConductContext {
  const { secrets, expectations } = sandboxes
  const known = { keys: createKnownKeys(sandboxes) }
  return {
    secrets,
    textOf: exchange => showOf(exchange, known, secrets).text,
    startsAt: ({ sandbox }) => find(sandbox)?.placedAt ?? 1,
    expectationOf: ({ sandbox, id: exchange }, id) => expectations.covering(sandbox, exchange, id),
    isKey: (_exchange, text) => known.keys.has(text),
  }
}

/**
 * Judges the journals of these worlds, step by step. `request`: the id of the one request whose findings are wanted, with it as their
 * evidence. Default: all.
 */
export function* judgeWorlds(
  worlds: readonly World[],
  sandboxes: Sandboxes,
  { flights, request }: { readonly flights: boolean; readonly request?: number | undefined },
): Generator<undefined, ConductReport> {
  const byName = new Map(worlds.map(world => [world.sandbox, world]))
  const conduct = createConduct({
    ...conductContext(name => byName.get(name), sandboxes),
    wanted: request,
  })
  // Those of an earlier world of a sandbox are about calls that its journal no longer has.
  const expected = worlds.flatMap(({ sandbox }) => sandboxes.expectations.of(sandbox)).filter(isOpen)
  let evicted = 0
  for (const { journal } of worlds) {
    evicted += journal.evicted
    const { first, end } = journal
    for (let place = first; place < end; place += 1) {
      const exchange = journal.at(place)
      // Calls that come during the judgement may push it out.
      if (exchange === undefined) evicted += 1
      else conduct.add(exchange)
      yield
    }
  }
  const report = reportConduct(conduct, {
    plans: plansOf(worlds),
    evicted,
    flights,
    expected: { all: expected, forgotten: 0 },
  })
  if (request === undefined) return report
  const findings = report.findings.flatMap(finding => {
    const evidence = finding.evidence.filter(one => one.request === request)
    return evidence.length === 0 ? [] : [{ ...finding, evidence }]
  })
  return { ...report, findings }
}

export function plansOf(worlds: Iterable<World>): ReadonlyMap<string, Quota> {
  return new Map([...worlds].flatMap(({ scenario }) => [...scenario.plans]))
}
