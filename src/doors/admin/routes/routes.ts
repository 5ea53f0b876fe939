import type { Route, RouteGroup } from '../routing/route.ts'
import { boxRoutes } from './box.ts'
import { clockRoutes } from './clock.ts'
import { conductRoutes } from './conduct.ts'
import { keyRoutes } from './keys.ts'
import { petRoutes } from './pets.ts'
import { requestRoutes } from './requests.ts'
import { ruleRoutes } from './rules.ts'
import { serverRoutes } from './server.ts'
import { worldRoutes } from './worlds.ts'

export const routeGroups: readonly RouteGroup[] = [
  { name: 'World', about: 'The state of a sandbox as a whole.', routes: worldRoutes },
  { name: 'Clock', about: 'The clock that drives windows, bans, expiry and removal.', routes: clockRoutes },
  { name: 'Keys', about: 'API keys, their limits and bans.', routes: keyRoutes },
  { name: 'Pets', about: 'The pets in the store.', routes: petRoutes },
  { name: 'Rules', about: 'Rules that inject errors, delays and faults.', routes: ruleRoutes },
  {
    name: 'Requests',
    about: 'The journal: each call, its response and the reason.',
    routes: [...requestRoutes, ...conductRoutes],
  },
  { name: 'Box', about: 'The run that the server was opened from.', routes: boxRoutes },
  { name: 'Server', about: 'The server itself.', routes: serverRoutes(() => routeGroups) },
]

export const routes: readonly Route[] = routeGroups.flatMap(group => group.routes)
