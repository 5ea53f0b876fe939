import { type ReadonlySignal, useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { applyFilters, readFilters } from '../../traffic/filters.ts'
import type { Row } from '../../traffic/row.ts'
import { RequestPage } from '../request/request-page.tsx'
import { FilterBar } from './filter-bar.tsx'
import { RequestList } from './request-list.tsx'

import './requests.css'

/** The calls as they come, and one of them beside the list. */
export function View({ app }: { readonly app: App }) {
  const rows = useComputed(() =>
    applyFilters(app.feed.value.rows.value, readFilters(app.places.at.value.query)),
  )
  const feed = app.feed.value
  useEffect(() => feed.show(), [feed])
  const open = app.places.at.value.rest[0]
  useRowKeys(app, rows)
  return (
    <div class="requests" data-open={open !== undefined}>
      <section class="request-list" aria-label="Requests">
        <h1 class="visually-hidden">Requests</h1>
        <FilterBar app={app} />
        <RequestList app={app} rows={rows.value} open={open} />
      </section>
      {open !== undefined && <RequestPage key={open} app={app} name={open} rows={rows.value} />}
    </div>
  )
}

/** `j` and `k` open the next and the previous row, Escape closes it, `p` pauses the list. */
function useRowKeys({ shortcuts, places, feed }: App, rows: ReadonlySignal<readonly Row[]>): void {
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
