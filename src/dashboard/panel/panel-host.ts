import type { Plane } from '../plane/plane.ts'
import type { Connection } from '../state/connection.ts'
import type { Login } from '../state/login.ts'

/** What the panel shows: a server, or an emulator in the page. */
export interface PanelHost {
  readonly plane: Plane
  readonly connection: Connection
  /** Undefined for an emulator in the page. */
  readonly login: Login | undefined
  /** The address of the dashboard. An emulator in the page has none. */
  readonly dashboard: string | undefined
}

/** Whether nobody looks at the page of the panel. */
export const pageVisibility = {
  isHidden: () => document.visibilityState === 'hidden',
  onChange: (act: () => void) => {
    document.addEventListener('visibilitychange', act)
    return () => document.removeEventListener('visibilitychange', act)
  },
}
