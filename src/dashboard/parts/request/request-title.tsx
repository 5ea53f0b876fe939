import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import type { App } from '../../app/app.ts'
import { Badge, toneOf } from '../../design/badge.tsx'
import { IconButton } from '../../design/button.tsx'
import { clockTime } from '../../design/format.ts'
import { Icon } from '../../design/icon.tsx'
import { type CallRow, type Row, showCaller } from '../../traffic/row.ts'

export interface RequestTitleProps {
  readonly app: App
  readonly id: number
  readonly rows: readonly Row[]
  readonly request: PlaneExplainedRequest | undefined
}

/** Names the call, and leads to the calls of the same key before and after it. */
export function RequestTitle({ app, id, rows, request }: RequestTitleProps) {
  const { earlier, later } = neighboursOf(rows, id)
  const step = (to: number | undefined, icon: 'back' | 'forward', label: string) => (
    <IconButton
      icon={icon}
      label={label}
      disabled={to === undefined}
      onClick={() => app.places.goTo({ part: 'requests', rest: [`${to}`] })}
    />
  )
  return (
    <header class="request-title">
      <div class="request-steps">
        {step(earlier, 'back', 'Earlier call of this key')}
        {step(later, 'forward', 'Later call of this key')}
        <span class="muted">
          #{id}
          {request && ` · ${clockTime(request.at)} · ${showCaller(request)}`}
        </span>
        <span class="filler" />
        <CloseLink app={app} />
      </div>
      {request && (
        <h1>
          <span class="mono">
            {request.method} {request.path}
          </span>
          <Badge tone={toneOf(request.status)}>{request.status}</Badge>
          {request.code !== null && <span class="code">{request.code}</span>}
          {request.synthetic && <Badge tone="info">injected</Badge>}
        </h1>
      )}
    </header>
  )
}

export function CloseLink({ app: { places } }: { readonly app: App }) {
  return (
    <a
      class="button icon-only"
      href={places.linkTo('requests', [], places.at.value.query)}
      aria-label="Close"
      title="Close"
    >
      <Icon name="close" />
    </a>
  )
}

/** The ids of the calls of the same key next to a call, as far as the page has them. */
function neighboursOf(rows: readonly Row[], id: number) {
  const calls = rows.filter((row): row is CallRow => row.kind === 'call')
  const index = calls.findIndex(call => call.id === id)
  if (index < 0) return {}
  const isSame = (call: CallRow) => call.key === calls[index]?.key
  return {
    earlier: calls.slice(index + 1).find(isSame)?.id,
    later: calls.slice(0, index).findLast(isSame)?.id,
  }
}
