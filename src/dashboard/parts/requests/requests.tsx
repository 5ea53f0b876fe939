import './requests.css'
import { useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { applyFilters, readFilters } from '../../traffic/filters.ts'
import { RequestPage } from '../request/request-page.tsx'
import { FilterBar } from './filter-bar.tsx'
import { RequestList } from './request-list.tsx'
import { useRowKeys } from './row-keys.ts'

/** The calls as they come, and one of them beside the list. */
export function View({ app }: { readonly app: App }) {
  const rows = useComputed(() =>
    applyFilters(app.feed.value.rows.value, readFilters(app.places.at.value.query)),
  )
  const feed = app.feed.value
  useEffect(() => {
    feed.isShown.value = true
    return () => {
      feed.isShown.value = false
    }
  }, [feed])
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
