import type { Signal } from '@preact/signals'
import { Icon } from '../design/icon.tsx'
import { type Theme, themes } from '../state/theme.ts'

const icons = { system: 'half', light: 'sun', dark: 'moon' } as const

/** Changes the colours: those of the system, light, dark. */
export function ThemeButton({ theme }: { readonly theme: Signal<Theme> }) {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
  return (
    <button
      type="button"
      class="quiet icon-only"
      aria-label={`Colours: ${theme.value}. Change to ${next}.`}
      title={`Colours: ${theme.value}`}
      onClick={() => {
        theme.value = next
      }}
    >
      <Icon name={icons[theme.value]} />
    </button>
  )
}
