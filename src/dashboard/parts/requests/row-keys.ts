import type { ReadonlySignal } from '@preact/signals'
import type { App } from '../../app/app.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import type { Row } from '../../traffic/row.ts'

/** `j` and `k` open the next and the previous row, Escape closes it, `p` pauses the list. */
export function useRowKeys({ shortcuts, places, feed }: App, rows: ReadonlySignal<readonly Row[]>): void {
  const move = (step: number) => {
    const calls = rows.value.filter(row => row.kind === 'call')
    const open = Number(places.at.value.rest[0])
    const index = calls.findIndex(({ id }) => id === open)
    const next = calls[index < 0 ? 0 : Math.min(calls.length - 1, Math.max(0, index + step))]
    if (next !== undefined) places.goTo({ part: 'requests', rest: [`${next.id}`] })
  }
  useShortcuts(
    shortcuts,
    [
      { key: 'j', about: 'Next request', act: () => move(1) },
      { key: 'k', about: 'Previous request', act: () => move(-1) },
      { key: 'Escape', about: 'Close the request', act: () => places.goTo({ rest: [] }) },
      {
        key: 'p',
        about: 'Pause the list',
        act: () => {
          const { isPaused } = feed.value
          isPaused.value = !isPaused.value
        },
      },
    ],
    [rows],
  )
}
