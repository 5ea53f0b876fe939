import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import { type PlanChoice, replayScenario } from '../../../judges/replay/plan-world.ts'
import type { Invocation } from '../../arguments/command.ts'
import type { Loading } from '../../start/load/loading.ts'
import { loadByName } from '../../walkthroughs/load-by-name.ts'
import type { ReplayValues } from './flags.ts'

/** What `--scenario` says of limits and bans, with its plans and the shipped ones. */
export async function loadScenario({
  values,
  sources,
}: Pick<Invocation<ReplayValues>, 'values' | 'sources'>): Promise<Loading<Scenario>> {
  const { scenario: name } = values
  if (name === undefined) return { ok: true, value: replayScenario('replay', {}) }
  const loaded = await loadByName([name], { values, sources })
  if (!loaded.ok) return loaded
  return { ok: true, value: replayScenario(name, loaded.value[0]?.file ?? {}) }
}

/** The plans to replay at: those that are named, or all. */
export function choosePlans(
  { plans: named, expect: expected }: ReplayValues,
  { plans }: Scenario,
): Loading<readonly PlanChoice[]> {
  const known = [...plans.keys()]
  const asked = [
    ...named.map(name => ({ name, flag: '--plans' })),
    ...expected.map(name => ({ name, flag: '--expect' })),
  ]
  const complaints = asked
    .filter(({ name }) => !plans.has(name))
    .map(
      ({ name, flag }) =>
        `${flag}: there is no plan ${showValue(name)}${suggest(name, known) || `; the plans are ${known.join(', ')}`}`,
    )
  if (complaints.length > 0) return { ok: false, complaints }
  const chosen = named.length === 0 ? known : [...new Set([...named, ...expected])]
  const value = chosen.flatMap(name => {
    const quota = plans.get(name)
    return quota === undefined ? [] : [{ name, quota }]
  })
  return { ok: true, value }
}
