import { useComputed } from '@preact/signals'
import type { App } from '../../app/app.ts'
import { Button } from '../../design/button.tsx'
import { Choice, type Field, SearchField } from '../../design/form.tsx'
import { Icon } from '../../design/icon.tsx'
import type { Feed } from '../../traffic/feed.ts'
import {
  type FilterName,
  filterNames,
  isFiltered,
  readFilters,
  statusClasses,
  valuesOf,
} from '../../traffic/filters.ts'

/** Search and filters. The URL has them, so that a link leads to the same rows. */
export function FilterBar({ app }: { readonly app: App }) {
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
