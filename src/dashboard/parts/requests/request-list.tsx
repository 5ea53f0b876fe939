import { useEffect, useState } from 'preact/hooks'
import { formatCount } from '../../../base/text/quantities.ts'
import type { App } from '../../app/app.ts'
import { Badge, Button, toneOf } from '../../design/basics.tsx'
import { Problem } from '../../design/elements.tsx'
import { clockTime, milliseconds } from '../../design/format.ts'
import { VirtualList } from '../../design/virtual-list.tsx'
import { useAnswer } from '../../state/live.ts'
import type { Feed } from '../../traffic/feed.ts'
import { isFiltered, readFilters } from '../../traffic/filters.ts'
import { type CallRow, countOf, type GapRow, keyOf, type Row, showCaller } from '../../traffic/rows.ts'
import { FirstCall } from '../overview/first-call.tsx'

/** `open`: the id of the request beside the list. */
export function RequestList(props: { app: App; rows: readonly Row[]; open: string | undefined }) {
  const { app, rows, open } = props
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
        {['Time', 'Method', 'Path', 'Status', 'Key', 'Plan'].map(name => (
          <span key={name}>{name}</span>
        ))}
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

const notMeasured =
  'Not measured: pet-mock measures times from the first visit of the dashboard or the admin plane.'

/** One call in the list. It leads to everything that is known about it. */
export function CallLine({ row, href, isOpen }: { row: CallRow; href: string; isOpen: boolean }) {
  const { at, method, target, status, code, plan, left, refused, synthetic, durationMs } = row
  return (
    <a class="call-line" href={href} aria-current={isOpen ? 'true' : undefined}>
      <time class="muted" dateTime={at} title={at}>
        {clockTime(at)}
      </time>
      <span class="method mono">{method}</span>
      <span class="target mono" title={target}>
        {target}
      </span>
      <span class="status">
        <Badge tone={toneOf(status)}>{status}</Badge> {code !== null && <span class="code">{code}</span>}
        {refused && <span class="visually-hidden">, refused</span>}
        {synthetic && <Badge tone="info">injected</Badge>}
      </span>
      <span class="key mono muted">{showCaller(row)}</span>
      <span class="plan muted">{plan ?? ''}</span>
      <span class="left number" title="Left this minute">
        {left === undefined ? '' : left.minute.toLocaleString('en')}
      </span>
      <span class="took number muted" title={durationMs === null ? notMeasured : undefined}>
        {durationMs === null ? '–' : milliseconds(durationMs)}
      </span>
    </a>
  )
}

/** Says how many calls the page left out, and loads them if the server still has them. */
export function GapLine({ gap, feed }: { readonly gap: GapRow; readonly feed: Feed }) {
  const [isLoading, setLoading] = useState(false)
  const count = countOf(gap)
  const words = `${formatCount(count, 'call')} not shown`
  if (gap.to < feed.firstKept.value)
    return (
      <p class="gap-line" title="The journal dropped them for newer calls. --journal keeps more.">
        {words}
      </p>
    )
  return (
    <p class="gap-line">
      {words}
      <Button
        class="quiet"
        disabled={isLoading}
        onClick={() => {
          setLoading(true)
          void feed.fill(gap).finally(() => setLoading(false))
        }}
      >
        Show
      </Button>
    </p>
  )
}

/** The most sandboxes to name where another one has no calls. */
const mostBusy = 10

/** Where the calls are, or a first one to paste. */
function NoRequests({ app }: { readonly app: App }) {
  const { sandbox, origin, places } = app
  const busy = useAnswer(app, 'listSandboxes').value?.sandboxes.filter(({ requests }) => requests > 0) ?? []
  return (
    <Problem title={busy.length === 0 ? 'No calls yet' : `No calls in ${sandbox.value} yet`}>
      {busy.length > 0 && (
        <p>
          Other sandboxes have calls:{' '}
          {busy.slice(0, mostBusy).map(({ name, requests }) => (
            <span key={name}>
              <a href={places.linkTo('requests', [], { sandbox: name })}>{name}</a> (
              {requests.toLocaleString('en')}){' '}
            </span>
          ))}
          {busy.length > mostBusy && (
            <a href={places.linkTo('sandboxes')}>and {busy.length - mostBusy} more</a>
          )}
        </p>
      )}
      <p>Calls to {origin}/v1 appear here as they come.</p>
      <FirstCall app={app} />
    </Problem>
  )
}

/** Rows have two lines where the page is narrow. The stylesheet changes at the same width. */
const narrow = '(max-width: 760px)'

/** Pixels. */
function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches)
  useEffect(() => {
    const query = matchMedia(narrow)
    const read = () => setNarrow(query.matches)
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return isNarrow ? 50 : 30
}
