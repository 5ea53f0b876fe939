import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { VirtualList } from '../../design/virtual-list.tsx'
import { isFiltered, readFilters } from '../../traffic/filters.ts'
import { keyOf, type Row } from '../../traffic/row.ts'
import { CallLine } from './call-line.tsx'
import { GapLine } from './gap-line.tsx'
import { NoRequests } from './no-requests.tsx'
import { useRowHeight } from './row-height.ts'

export interface RequestListProps {
  readonly app: App
  readonly rows: readonly Row[]
  /** The id of the request beside the list. */
  readonly open: string | undefined
}

/** The rows, or why there are none. */
export function RequestList({ app, rows, open }: RequestListProps) {
  const feed = app.feed.value
  const { places } = app
  const rowHeight = useRowHeight()
  const error = feed.error.value
  if (error !== undefined && rows.length === 0)
    return <Problem title="The requests cannot be shown">{error.message}</Problem>
  if (!feed.isLoaded.value) return null
  if (rows.length === 0)
    return isFiltered(readFilters(places.at.value.query)) ? (
      <Problem title="No request matches">Other filters show more.</Problem>
    ) : (
      <NoRequests app={app} />
    )
  return (
    <>
      <div class="call-line call-head" aria-hidden="true">
        <span>Time</span>
        <span>Method</span>
        <span>Path</span>
        <span>Status</span>
        <span>Key</span>
        <span>Plan</span>
        <span class="number">Left</span>
        <span class="number">Took</span>
      </div>
      <VirtualList
        items={rows}
        keyOf={keyOf}
        rowHeight={rowHeight}
        label="Requests, the newest first"
        shown={open}
      >
        {row =>
          row.kind === 'gap' ? (
            <GapLine gap={row} feed={feed} />
          ) : (
            <CallLine
              row={row}
              href={places.linkTo('requests', [`${row.id}`], places.at.value.query)}
              isOpen={`${row.id}` === open}
            />
          )
        }
      </VirtualList>
    </>
  )
}
