import { clockRoutes } from './clock-routes.ts'
import type { Route } from './route.ts'

/** Everything that can be asked and changed, in the order in which people read of it. */
export const routes: readonly Route[] = [...clockRoutes]
