import { restoreSandboxes } from '../../control/snapshot/restore.ts'
import { type SandboxesSnapshot, snapshotVersion } from '../../control/snapshot/saved.ts'
import { captureSandboxes, writeSandboxes } from '../../control/snapshot/take.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'

/** The parts of a page that are used. Node has none of them. */
export interface Page {
  readonly sessionStorage: {
    readonly getItem: (name: string) => string | null
    readonly setItem: (name: string, text: string) => void
    readonly removeItem: (name: string) => void
  }
  readonly addEventListener: (type: 'pagehide', listener: () => void) => void
  readonly removeEventListener: (type: 'pagehide', listener: () => void) => void
}

/**
 * Keeps all sandboxes for the next page of this tab, without their journals. The state is in the tab's sessionStorage
 * between two pages only, at the key `name`. State from other `options` is discarded. Returns a function that stops this.
 */
export function keepOverReloads(name: string, options: string, sandboxes: Sandboxes, page: Page): () => void {
  const { sessionStorage } = page
  const text = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  if (text !== null) restore(text, options, sandboxes)

  const save = () => {
    const snapshot = [...writeSandboxes(captureSandboxes(sandboxes))].join('')
    try {
      sessionStorage.setItem(name, `{"options":${JSON.stringify(options)},"snapshot":${snapshot}}`)
    } catch (error) {
      const size = `${Math.ceil(snapshot.length / 1_000)} kB`
      console.warn(
        `pet-mock: the next page starts from the scenario, since ${size} of state cannot be stored (${error}).`,
      )
    }
  }
  page.addEventListener('pagehide', save)
  return () => page.removeEventListener('pagehide', save)
}

function restore(text: string, options: string, sandboxes: Sandboxes): void {
  try {
    const saved: { readonly options: string; readonly snapshot: SandboxesSnapshot } = JSON.parse(text)
    if (saved.options !== options || saved.snapshot.version !== snapshotVersion) return
    sandboxes.replaceAll(...restoreSandboxes(saved.snapshot, [sandboxes.scenario]))
  } catch (error) {
    console.warn(
      'pet-mock: this page starts from the scenario, since the stored state cannot be read:',
      error,
    )
  }
}
