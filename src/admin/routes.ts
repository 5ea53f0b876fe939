import { clockRoutes } from './clock-routes.ts'
import { conductRoutes } from './conduct-routes.ts'
import { descriptionRoutes } from './description-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { petRoutes } from './pet-routes.ts'
import { requestRoutes } from './request-routes.ts'
import type { Route } from './route.ts'
import { ruleRoutes } from './rule-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { watchRoutes } from './watch-routes.ts'
import { worldRoutes } from './world-routes.ts'

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
