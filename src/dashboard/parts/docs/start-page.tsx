import type { App } from '../../app/app.ts'
import { listOperations } from '../../openapi/find-operations.ts'
import type { ApiDocument, Operation } from '../../openapi/operation.ts'
import { OperationName } from '../../openapi/operation-list.tsx'
import { Prose } from '../../openapi/prose.tsx'

export interface StartPageProps {
  readonly app: App
  readonly document: ApiDocument
  /** The file for programs, below the server's URL. */
  readonly file: string
  readonly linkTo: (operation: Operation) => string
}

/** What the description says of the whole, and its first operations. */
export function StartPage({ app, document, file, linkTo }: StartPageProps) {
  const { title, version, about } = document
  const { groups, left } = listOperations(document, '')
  return (
    <article class="operation-docs" aria-label={title}>
      <header>
        <h1>{title}</h1>
        <span class="muted">{version}</span>
        <a href={app.origin + file}>openapi.json</a>
      </header>
      <Prose text={about} />
      {groups.map(({ tag, operations }) => (
        <section key={tag.name}>
          <h2>{tag.name}</h2>
          <p class="muted">{tag.about}</p>
          <ul class="schema-fields">
            {operations.map(operation => (
              <li key={operation.id}>
                <a href={linkTo(operation)}>
                  <OperationName operation={operation} />
                </a>{' '}
                {operation.summary}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {left > 0 && <p class="muted">{left} more operations: search for them.</p>}
    </article>
  )
}
