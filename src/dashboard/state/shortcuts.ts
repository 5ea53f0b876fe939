import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface Shortcut {
  /** As `KeyboardEvent.key` names it. */
  readonly key: string
  readonly about: string
  readonly act: () => void
}

export interface Shortcuts {
  /** Those of all that is on the page now. */
  readonly all: ReadonlySignal<readonly Shortcut[]>
  /** Returns a function that removes them. */
  readonly add: (shortcuts: readonly Shortcut[]) => () => void
}

/** Single keys, which do nothing while somebody types. */
export function createShortcuts(window: Window): Shortcuts {
  const all = signal<readonly Shortcut[]>([])
  window.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // Somebody types there, or it is a dialog, which has keys of its own.
    const taken = 'input, textarea, select, [contenteditable], dialog'
    if (event.target instanceof Element && event.target.closest(taken) !== null) return
    const shortcut = all.value.findLast(({ key }) => key === event.key)
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.act()
  })
  return {
    all,
    add: shortcuts => {
      all.value = [...all.value, ...shortcuts]
      return () => {
        all.value = all.value.filter(shortcut => !shortcuts.includes(shortcut))
      }
    },
  }
}

export function useShortcuts(
  { add }: Shortcuts,
  shortcuts: readonly Shortcut[],
  on: readonly unknown[] = [],
): void {
  useEffect(() => add(shortcuts), on)
}
