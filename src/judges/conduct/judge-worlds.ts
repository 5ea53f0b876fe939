import type { World } from '../../emulator/worlds/world.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { textOf } from '../inspection/requests.ts'
import { createConduct } from './conduct.ts'
import { type ConductReport, reportConduct } from './conduct-report.ts'
import type { ConductContext } from './observed-call.ts'

/** `find` returns the world of a sandbox. */
export function conductContext(find: (sandbox: string) => World | undefined): ConductContext {
  return {
    textOf: exchange => {
      const world = find(exchange.sandbox)
      return textOf(exchange, world === undefined ? [] : [world], false)
    },
    startsAt: ({ sandbox }) => find(sandbox)?.placedAt ?? 1,
    isKey: ({ sandbox }, text) => find(sandbox)?.keys.has(text) ?? false,
  }
}

/** Judges the journals of these worlds. `flights`: include charts. */
export function judgeWorlds(worlds: readonly World[], flights: boolean): ConductReport {
  const byName = new Map(worlds.map(world => [world.sandbox, world]))
  const conduct = createConduct(conductContext(name => byName.get(name)))
  for (const { journal } of worlds) for (const exchange of journal) conduct.add(exchange)
  const evicted = worlds.reduce((sum, { journal }) => sum + journal.evicted, 0)
  return reportConduct(conduct, { plans: plansOf(worlds), evicted, flights })
}

export function plansOf(worlds: Iterable<World>): ReadonlyMap<string, Quota> {
  return new Map([...worlds].flatMap(({ scenario }) => [...scenario.plans]))
}
