import type { AppProps } from '../app/app.ts'
import { Badge } from '../design/basics.tsx'
import { SearchField } from '../design/form.tsx'
import { listOperations } from './find-operations.ts'
import type { ApiDocument, Operation } from './read-document.ts'

type LinkTo = (operation: Operation) => string
type Props = AppProps & { document: ApiDocument; shown: Operation | undefined; linkTo: LinkTo }

/** The operations by tag, with a search whose words are in the URL. */
export function OperationList({ app, document, shown, linkTo }: Props) {
  const { groups, left } = listOperations(document, app.places.at.value.query.q ?? '')
  return (
    <div class="operation-list">
      <SearchField app={app} label="Search operations" placeholder="Search operations" />
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

export function OperationName({ operation }: { readonly operation: Operation }) {
  const { method, path, isDeprecated } = operation
  return (
    <span class="operation-name">
      <b class="mono" data-method={method}>
        {method}
      </b>{' '}
      <span class="mono">{path}</span> {isDeprecated && <Badge tone="warn">deprecated</Badge>}
    </span>
  )
}
