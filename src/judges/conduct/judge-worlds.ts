import { isOpen } from '../../emulator/worlds/expectations.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { showOf } from '../inspection/requests.ts'
import { createConduct } from './conduct.ts'
import { type ConductReport, reportConduct } from './conduct-report.ts'
import type { ConductContext } from './observed-call.ts'

/** What judges need of the sandboxes besides their worlds. */
type Judged = Pick<Sandboxes, 'secrets' | 'expectations'>

/** `find` returns the world of a sandbox. `expectations`: what tests expect. */
export function conductContext(
  find: (sandbox: string) => World | undefined,
  { secrets, expectations }: Judged,
): ConductContext {
  return {
    secrets,
    textOf: exchange => showOf(exchange, find(exchange.sandbox), secrets).text,
    startsAt: ({ sandbox }) => find(sandbox)?.placedAt ?? 1,
    expectationOf: ({ sandbox, id: exchange }, id) => expectations.covering(sandbox, exchange, id),
    isKey: ({ sandbox }, text) => find(sandbox)?.keys.has(text) ?? false,
  }
}

/** Judges the journals of these worlds, step by step. `flights`: include charts. */
export function* judgeWorlds(
  worlds: readonly World[],
  judged: Judged,
  flights: boolean,
): Generator<undefined, ConductReport> {
  const byName = new Map(worlds.map(world => [world.sandbox, world]))
  const conduct = createConduct(conductContext(name => byName.get(name), judged))
  // Those of an earlier world of a sandbox are about calls that its journal no longer has.
  const expected = worlds.flatMap(({ sandbox }) => judged.expectations.of(sandbox)).filter(isOpen)
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
  return reportConduct(conduct, {
    plans: plansOf(worlds),
    evicted,
    flights,
    expected: { all: expected, forgotten: 0 },
  })
}

export function plansOf(worlds: Iterable<World>): ReadonlyMap<string, Quota> {
  return new Map([...worlds].flatMap(({ scenario }) => [...scenario.plans]))
}
