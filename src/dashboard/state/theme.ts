import { effect, type Signal, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const name = 'pet-mock theme'

/** The colours that the reader chose. The stylesheet reads them from the root element. */
export function createTheme(storage: Storage, root: HTMLElement): Signal<Theme> {
  const stored = storage.getItem(name)
  const theme = signal<Theme>(themes.find(known => known === stored) ?? 'system')
  effect(() => {
    root.dataset.theme = theme.value
    storage.setItem(name, theme.value)
  })
  return theme
}
