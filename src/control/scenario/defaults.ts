import { formatDuration } from '../../base/time/duration.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { defaultBanSettings } from '../../service/bans/settings.ts'
import { defaultDeprecationSettings } from '../../service/deprecation/settings.ts'
import { defaultLimitSettings } from '../../service/limits/settings.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { effectiveKeys, effectivePetCount, featuredKey } from './effective.ts'
import type { ScenarioFile } from './file.ts'

/** What holds where a scenario does not say, as a scenario that says it. */
export function defaultsOf(file: ScenarioFile, fixtures: Fixtures): ScenarioFile {
  const { forMs, graceMs, escalate: _none, ...bans } = defaultBanSettings
  const { removedAt, after } = defaultDeprecationSettings
  return {
    key: featuredKey({}, effectiveKeys(file, fixtures)),
    seed: 1,
    clock: file.clock?.frozen === true ? {} : { frozen: false, scale: 1 },
    plans: shippedPlans,
    keys: Object.fromEntries(Object.entries(fixtures.keys).map(([name, plan]) => [name, { plan }])),
    pets: { count: effectivePetCount({}, fixtures), firstId: 1 },
    limits: defaultLimitSettings,
    bans:
      file.bans === 'off'
        ? undefined
        : {
            ...bans,
            for: formatDuration(forMs),
            grace: formatDuration(graceMs),
            ...(file.bans?.escalate && { escalate: { factor: 2, max: '24h' } }),
          },
    pageSize: 'reject',
    pagination: 'link',
    deprecation: { removedAt: formatInstant(removedAt), after },
  }
}
