import { type ReadonlySignal, useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { Button, Icon } from '../../design/basics.tsx'
import { Choice, type Field, SearchField } from '../../design/form.tsx'
import { useShortcuts } from '../../state/shortcuts.ts'
import type { Feed } from '../../traffic/feed.ts'
import {
  applyFilters,
  type FilterName,
  filterNames,
  isFiltered,
  readFilters,
  statusClasses,
  valuesOf,
} from '../../traffic/filters.ts'
import type { Row } from '../../traffic/rows.ts'
import { RequestPage } from '../request/request-page.tsx'
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

/** Search and filters. The URL has them, so that a link leads to the same rows. */
function FilterBar({ app }: { readonly app: App }) {
  const { places, feed } = app
  const filters = readFilters(places.at.value.query)
  const set = (name: FilterName) => (value: string) => places.filter({ [name]: value })
  const operations = useComputed(() => valuesOf(feed.value.rows.value, 'operation'))
  const keys = useComputed(() => valuesOf(feed.value.rows.value, 'key'))
  return (
    <search class="filter-bar row">
      <SearchField app={app} label="Search requests" />
      <div class="filters">
        <Choice label="Status" value={filters.status} values={statusClasses} onChange={set('status')} />
        <Choice
          label="Operation"
          value={filters.operation}
          values={operations.value}
          onChange={set('operation')}
        />
        <Choice label="Key" value={filters.key} values={keys.value} onChange={set('key')} />
        <Toggle name="Refused" value={filters.refused} onChange={set('refused')} />
        <Toggle name="Injected" value={filters.injected} onChange={set('injected')} />
        {(filters.from || filters.to) && (
          <Button aria-pressed={true} onClick={() => places.filter({ from: '', to: '' })}>
            #{filters.from}–#{filters.to}
          </Button>
        )}
        {isFiltered(filters) && (
          <Button
            class="quiet"
            onClick={() => places.filter(Object.fromEntries(filterNames.map(name => [name, ''])))}
          >
            Clear
          </Button>
        )}
      </div>
      <span class="filler" />
      <PauseButton feed={feed.value} />
    </search>
  )
}

function Toggle({ name, value, onChange }: Field<string> & { name: string }) {
  const isOn = value !== ''
  return (
    <Button aria-pressed={isOn} onClick={() => onChange(isOn ? '' : 'yes')}>
      {name}
    </Button>
  )
}

/** Holds the list still, and says how many calls wait. */
export function PauseButton({ feed: { isPaused, waiting } }: { readonly feed: Feed }) {
  const isOn = isPaused.value
  return (
    <Button
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
    </Button>
  )
}
