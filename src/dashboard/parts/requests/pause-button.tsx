import { Icon } from '../../design/icon.tsx'
import type { Feed } from '../../traffic/feed.ts'

/** Holds the list still, and says how many calls wait. */
export function PauseButton({ feed: { isPaused, waiting } }: { readonly feed: Feed }) {
  const isOn = isPaused.value
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => {
        isPaused.value = !isOn
      }}
    >
      <Icon name={isOn ? 'play' : 'pause'} />
      {isOn
        ? waiting.value === 0
          ? 'Paused'
          : `Paused, ${waiting.value.toLocaleString('en')} new`
        : 'Pause'}
    </button>
  )
}
