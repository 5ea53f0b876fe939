import { findNear } from '../../plane/near.ts'
import { insertPanel } from './mount-panel.ts'

/* The exports of `pet-mock/panel`. Importing it inserts the panel. */

interface PanelOptions {
  /** The URL of the server, with or without `/v1`. Default: `http://127.0.0.1:7387`. */
  readonly url?: string
}

const usual = 'http://127.0.0.1:7387'

/**
 * Inserts the panel for another server than the usual one. It replaces the panel of the import. With `pet-mock/msw`, the
 * panel shows the emulator in the page.
 */
export function mountPanel({ url = usual }: PanelOptions = {}): { readonly remove: () => void } {
  const root = url.replace(/\/+$/, '').replace(/\/v1$/, '')
  const base = new URL(`${root}/__admin/`, document.baseURI).href
  return insertPanel(base, { find: findNear, load: async () => (await import('../near.tsx')).showNear })
}

// Bundlers also evaluate modules where there is no page.
if (typeof document !== 'undefined') mountPanel()
