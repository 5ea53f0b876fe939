import type { Route } from '../routing/route.ts'
import { clockRoutes } from './clock.ts'
import { conductRoutes } from './conduct.ts'
import { descriptionRoutes } from './description.ts'
import { keyRoutes } from './keys.ts'
import { petRoutes } from './pets.ts'
import { requestRoutes } from './requests.ts'
import { ruleRoutes } from './rules.ts'
import { serverRoutes } from './server.ts'
import { watchRoutes } from './watch.ts'
import { worldRoutes } from './worlds.ts'

/** Everything that can be asked and changed, in the order in which people read of it. */
export const routes: readonly Route[] = [
  ...worldRoutes,
  ...clockRoutes,
  ...keyRoutes,
  ...petRoutes,
  ...ruleRoutes,
  ...requestRoutes,
  ...conductRoutes,
  ...watchRoutes,
  ...serverRoutes,
  ...descriptionRoutes(() => routes),
]
