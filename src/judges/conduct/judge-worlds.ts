import type { World } from '../../emulator/worlds/world.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { showOf } from '../inspection/requests.ts'
import { createConduct } from './conduct.ts'
import { type ConductReport, reportConduct } from './conduct-report.ts'
import type { ConductContext } from './observed-call.ts'

/** `find` returns the world of a sandbox. */
export function conductContext(
  find: (sandbox: string) => World | undefined,
  secrets: Secrets,
): ConductContext {
  return {
    secrets,
    textOf: exchange => showOf(exchange, find(exchange.sandbox), secrets).text,
    startsAt: ({ sandbox }) => find(sandbox)?.placedAt ?? 1,
    isKey: ({ sandbox }, text) => find(sandbox)?.keys.has(text) ?? false,
  }
}

/** Judges the journals of these worlds, step by step. `flights`: include charts. */
export function* judgeWorlds(
  worlds: readonly World[],
  secrets: Secrets,
  flights: boolean,
): Generator<undefined, ConductReport> {
  const byName = new Map(worlds.map(world => [world.sandbox, world]))
  const conduct = createConduct(conductContext(name => byName.get(name), secrets))
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
  return reportConduct(conduct, { plans: plansOf(worlds), evicted, flights })
}

export function plansOf(worlds: Iterable<World>): ReadonlyMap<string, Quota> {
  return new Map([...worlds].flatMap(({ scenario }) => [...scenario.plans]))
}
