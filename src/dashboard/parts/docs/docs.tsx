import { useMemo } from 'preact/hooks'
import type { App } from '../../app/app.ts'
import { Icon } from '../../design/basics.tsx'
import { Absent, Problem } from '../../design/elements.tsx'
import { listOperations } from '../../openapi/find-operations.ts'
import { OperationList, OperationName } from '../../openapi/operation-list.tsx'
import { Prose } from '../../openapi/prose.tsx'
import { type ApiDocument, type Operation, readDocument } from '../../openapi/read-document.ts'
import { useKeys } from '../../state/keys.ts'
import { useLive } from '../../state/live.ts'
import { OperationDocs } from './operation-docs.tsx'

import '../../openapi/operations.css'
import './docs.css'

/** The descriptions: `#/docs/api` and `#/docs/admin`. */
const books = [
  { name: 'api', title: 'API', file: '/openapi.json', id: 'getContract' },
  { name: 'admin', title: 'Admin plane', file: '/__admin/openapi.json', id: 'getDescription' },
] as const

/** The contract, whose operations are forms, and the reference of the admin plane. The URL names one, and sends nothing. */
export function View({ app }: { readonly app: App }) {
  const [name = 'api'] = app.places.at.value.rest
  const book = books.find(one => one.name === name)
  if (book === undefined) return <Problem title="There is no such page">Docs has two: api and admin.</Problem>
  return <BookPages key={name} app={app} book={book} />
}

/** A list of operations, and one of them. Narrow screens show either. */
function BookPages({ app, book }: { readonly app: App; readonly book: (typeof books)[number] }) {
  const { value: document, error } = useDocument(app, book.id)
  const { value: keys } = useKeys(app)
  const { places } = app
  const [, id] = places.at.value.rest
  if (document === undefined || keys === undefined) return <Absent title="No description" error={error} />
  const shown = document.operations.find(operation => operation.id === id)
  const linkTo = (operation: Operation) => places.linkTo('docs', [book.name, operation.id])
  return (
    <div class="operation-pages" data-open={id !== undefined}>
      <aside aria-label="Operations">
        <h1>Docs</h1>
        <nav class="docs-books" aria-label="Descriptions">
          {books.map(({ name, title }) => (
            <a
              key={name}
              class="button"
              href={places.linkTo('docs', [name])}
              aria-current={name === book.name ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <OperationList app={app} document={document} shown={shown} linkTo={linkTo} />
      </aside>
      <div class="operation-page">
        <a class="all-operations" href={places.linkTo('docs', [book.name])}>
          <Icon name="back" /> All operations
        </a>
        {id === undefined ? (
          <StartPage app={app} document={document} file={book.file} linkTo={linkTo} />
        ) : shown === undefined ? (
          <Problem title="There is no such operation">The list has all of them.</Problem>
        ) : (
          <OperationDocs
            key={shown.id}
            app={app}
            document={document}
            operation={shown}
            keys={book.name === 'api' ? keys : undefined}
          />
        )}
      </div>
    </div>
  )
}

type LinkTo = (operation: Operation) => string

/** What the description says of the whole, and its first operations. `file`: for programs, below the server's URL. */
export function StartPage(props: { app: App; document: ApiDocument; file: string; linkTo: LinkTo }) {
  const { app, document, file, linkTo } = props
  const { title, version, about } = document
  const { groups, left } = listOperations(document, '')
  return (
    <article class="operation-docs" aria-label={title}>
      <header>
        <h1 class="wraps">{title}</h1>
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

/** The contract of the server with the operations of `--openapi`, or that of the plane. Read anew when it may have changed. */
function useDocument({ plane, origin, connection }: App, id: 'getContract' | 'getDescription') {
  const load = useMemo(() => {
    let last: { readonly text: string; readonly document: ApiDocument } | undefined
    // Almost every change leaves the document alone, and then the page need not be drawn anew.
    return async () => {
      const text = await plane.read(id)
      if (last?.text !== text) last = { text, document: readDocument(text, origin) }
      return last.document
    }
  }, [plane, id, origin])
  const { value, error } = useLive(connection, load, [load], 'changes')
  return { value: value.value, error: error.value }
}
