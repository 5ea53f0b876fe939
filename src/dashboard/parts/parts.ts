import type { ComponentType } from 'preact'
import type { AppProps } from '../app/app.ts'
import type { IconName } from '../design/icon.tsx'

export interface Part {
  /** The first word of its place: `#/requests`. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Only for a server that was opened from a box. */
  readonly isOfBox?: true
  readonly load: () => Promise<{ readonly View: ComponentType<AppProps> }>
}

/** The pages of the dashboard, in the order of its menu. The first one is shown at first. */
export const parts: readonly Part[] = [
  { path: 'requests', title: 'Requests', icon: 'list', load: () => import('./requests/requests.tsx') },
  { path: 'run', title: 'Run', icon: 'play', isOfBox: true, load: () => import('./run/run.tsx') },
  { path: 'keys', title: 'Quotas', icon: 'gauge', load: () => import('./keys/keys.tsx') },
  { path: 'pets', title: 'Pets', icon: 'paw', load: () => import('./pets/pets.tsx') },
  { path: 'flight', title: 'Flight', icon: 'flight', load: () => import('./flight/flight.tsx') },
  { path: 'findings', title: 'Findings', icon: 'flag', load: () => import('./findings/findings.tsx') },
  { path: 'sandboxes', title: 'Sandboxes', icon: 'box', load: () => import('./sandboxes/sandboxes.tsx') },
  { path: 'time', title: 'Time', icon: 'clock', load: () => import('./time/time.tsx') },
  { path: 'situation', title: 'Situation', icon: 'map', load: () => import('./situation/situation.tsx') },
  { path: 'rules', title: 'Rules', icon: 'rule', load: () => import('./rules/rules.tsx') },
  { path: 'docs', title: 'Docs', icon: 'book', load: () => import('./docs/docs.tsx') },
]
