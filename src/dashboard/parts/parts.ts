import type { Part } from './part.ts'

/** The pages of the dashboard, in the order of its menu. The first one is shown at first. */
export const parts: readonly Part[] = [
  { path: 'requests', title: 'Requests', icon: 'list', load: () => import('./requests/requests.tsx') },
]
