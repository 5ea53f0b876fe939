import type { ComponentType } from 'preact'
import type { AppProps } from '../app/app.ts'
import type { IconName } from '../design/basics.tsx'
import type { Place } from '../state/place.ts'
import * as overview from './overview/overview.tsx'

interface Part {
  /** The first word of its place: `#/requests`. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Only for a server that was opened from a box. */
  readonly isOfBox?: true
  readonly load: () => Promise<{ readonly View: ComponentType<AppProps> }>
}

/** The pages of the dashboard, in the order of its menu. The first one is shown at first. */
export const partGroups: Readonly<Record<string, readonly Part[]>> = {
  Watch: [
    // A part of the first view, which needs no second journey.
    { path: 'overview', title: 'Overview', icon: 'overview', load: async () => overview },
    { path: 'requests', title: 'Requests', icon: 'list', load: () => import('./requests/requests.tsx') },
    { path: 'run', title: 'Run', icon: 'play', isOfBox: true, load: () => import('./run/run.tsx') },
    { path: 'flight', title: 'Flight', icon: 'flight', load: () => import('./flight/flight.tsx') },
    { path: 'findings', title: 'Findings', icon: 'flag', load: () => import('./findings/findings.tsx') },
  ],
  Change: [
    { path: 'situation', title: 'Situation', icon: 'map', load: () => import('./situation/situation.tsx') },
    { path: 'keys', title: 'Keys', icon: 'key', load: () => import('./keys/keys.tsx') },
    { path: 'rules', title: 'Rules', icon: 'rule', load: () => import('./rules/rules.tsx') },
    { path: 'pets', title: 'Pets', icon: 'paw', load: () => import('./pets/pets.tsx') },
    { path: 'sandboxes', title: 'Sandboxes', icon: 'box', load: () => import('./sandboxes/sandboxes.tsx') },
  ],
  Reference: [{ path: 'docs', title: 'Docs', icon: 'book', load: () => import('./docs/docs.tsx') }],
}

/** The part of a place; the first one without a name, and for the clock, which had a page of its own. */
export function partAt({ part }: Place): Part | undefined {
  const parts = Object.values(partGroups).flat()
  return part === '' || part === 'time' ? parts[0] : parts.find(({ path }) => path === part)
}
