import { useRef } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Badge } from '../design/badge.tsx'
import { Icon } from '../design/icon.tsx'
import { useShortcuts } from '../state/shortcuts.ts'
import { listOperations } from './find-operations.ts'
import type { ApiDocument, Operation } from './operation.ts'

export interface OperationListProps {
  readonly app: App
  readonly document: ApiDocument
  readonly shown: Operation | undefined
  readonly linkTo: (operation: Operation) => string
}

/** The operations by tag, with a search whose words are in the URL. */
export function OperationList({ app, document, shown, linkTo }: OperationListProps) {
  const search = useRef<HTMLInputElement>(null)
  useShortcuts(app.shortcuts, [{ key: '/', about: 'Search', act: () => search.current?.focus() }])
  const words = app.places.at.value.query.q ?? ''
  const { groups, left } = listOperations(document, words)
  return (
    <div class="operation-list">
      <label class="search">
        <Icon name="search" />
        <span class="visually-hidden">Search operations</span>
        <input
          ref={search}
          type="search"
          placeholder="Search operations"
          value={words}
          onInput={event => app.places.filter({ q: event.currentTarget.value })}
          onKeyDown={event => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </label>
      {groups.map(({ tag, operations }) => (
        <section key={tag.name} aria-label={tag.name}>
          <h2 title={tag.about}>{tag.name}</h2>
          <ul>
            {operations.map(operation => (
              <li key={operation.id}>
                <a href={linkTo(operation)} aria-current={operation === shown ? 'page' : undefined}>
                  <OperationName operation={operation} />
                  <span class="muted">{operation.summary || operation.id}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {left > 0 && <p class="muted">{left} more operations: search for them.</p>}
      {groups.length === 0 && <p class="muted">No operation has these words.</p>}
    </div>
  )
}

export function OperationName({
  operation: { method, path, isDeprecated },
}: {
  readonly operation: Operation
}) {
  return (
    <span class="operation-name">
      <b class="mono" data-method={method}>
        {method}
      </b>{' '}
      <span class="mono">{path}</span> {isDeprecated && <Badge tone="warn">deprecated</Badge>}
    </span>
  )
}
