import { restoreSandboxes } from '../../control/snapshot/restore.ts'
import { type SandboxesSnapshot, snapshotVersion } from '../../control/snapshot/saved.ts'
import { captureSandboxes } from '../../control/snapshot/take.ts'
import { writeSandboxes } from '../../control/snapshot/write.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'

/** What of a page is needed; elsewhere there is none of it. */
export interface Page {
  readonly sessionStorage: {
    readonly getItem: (name: string) => string | null
    readonly setItem: (name: string, text: string) => void
    readonly removeItem: (name: string) => void
  }
  readonly addEventListener: (type: 'pagehide', listener: () => void) => void
  readonly removeEventListener: (type: 'pagehide', listener: () => void) => void
}

export interface Kept {
  /** By what it is found again. */
  readonly name: string
  /** What the program asks for: state that began from something else is left behind. */
  readonly asked: string
  readonly sandboxes: Sandboxes
}

interface Saved {
  readonly asked: string
  readonly snapshot: SandboxesSnapshot
}

/**
 * Lets everything go on in the page that is loaded next in this tab: all sandboxes, with their clocks, windows, bans,
 * pets and rules, but not their journals. The state lies in the tab's sessionStorage only between two pages. The
 * returned function ends it.
 */
export function keepOverReloads({ name, asked, sandboxes }: Kept, page: Page): () => void {
  const { sessionStorage } = page
  const text = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  if (text !== null) restore(text, asked, sandboxes)

  const save = () => {
    const snapshot = [...writeSandboxes(captureSandboxes(sandboxes))].join('')
    try {
      sessionStorage.setItem(name, `{"asked":${JSON.stringify(asked)},"snapshot":${snapshot}}`)
    } catch (error) {
      const size = `${Math.ceil(snapshot.length / 1_000)} kB`
      console.warn(`pet-mock: the next page starts anew; its state of ${size} cannot be kept (${error}).`)
    }
  }
  page.addEventListener('pagehide', save)
  return () => page.removeEventListener('pagehide', save)
}

function restore(text: string, asked: string, sandboxes: Sandboxes): void {
  try {
    const saved: Saved = JSON.parse(text)
    if (saved.asked !== asked || saved.snapshot.version !== snapshotVersion) return
    sandboxes.replaceAll(...restoreSandboxes(saved.snapshot, [sandboxes.scenario]))
  } catch (error) {
    console.warn('pet-mock: this page starts anew; what the one before it has kept cannot be read:', error)
  }
}
