import type { Place } from '../state/place.ts'
import type { CallRow, Row } from './rows.ts'

/** The filters of the list, as the URL has them. An empty text filters nothing. */
export const filterNames = ['q', 'status', 'operation', 'key', 'refused', 'injected', 'from', 'to'] as const
export type FilterName = (typeof filterNames)[number]
type Filters = Readonly<Record<FilterName, string>>

export const statusClasses = ['2xx', '3xx', '4xx', '429', '5xx'] as const

export function readFilters(query: Place['query']): Filters {
  return Object.fromEntries(filterNames.map(name => [name, query[name] ?? ''])) as Filters
}

export function isFiltered(filters: Filters): boolean {
  return filterNames.some(name => filters[name] !== '')
}

/** The rows that match all filters. Gaps stay: matching calls may be in them. */
export function applyFilters(rows: readonly Row[], filters: Filters): readonly Row[] {
  if (!isFiltered(filters)) return rows
  const { q, status, operation, key, refused, injected, from, to } = filters
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (row: CallRow) =>
    (status === '' || fitsStatus(row.status, status)) &&
    (operation === '' || row.operation === operation) &&
    (key === '' || row.key === key) &&
    (refused === '' || row.refused) &&
    (injected === '' || row.synthetic) &&
    (from === '' || row.id >= Number(from)) &&
    (to === '' || row.id <= Number(to)) &&
    words.every(word => textOf(row).includes(word))
  return rows.filter(row => row.kind === 'gap' || matches(row))
}

function fitsStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? `${status}`[0] === wanted[0] : `${status}` === wanted
}

function textOf({ id, method, target, status, code, key, plan, operation }: CallRow): string {
  return `#${id} ${method} ${target} ${status} ${code ?? ''} ${key ?? ''} ${plan ?? ''} ${operation ?? ''}`.toLowerCase()
}

export function valuesOf(rows: readonly Row[], name: 'operation' | 'key'): readonly string[] {
  const values = new Set<string>()
  for (const row of rows) {
    const value = row.kind === 'call' ? row[name] : null
    if (value !== null) values.add(value)
  }
  return [...values].sort()
}
