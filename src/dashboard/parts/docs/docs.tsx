import './docs.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useContract, usePlaneDescription } from '../../openapi/load-document.ts'
import type { Operation } from '../../openapi/operation.ts'
import { OperationPages } from '../../openapi/operation-pages.tsx'
import { useKeys } from '../../state/keys.ts'
import { OperationDocs } from './operation-docs.tsx'
import { StartPage } from './start-page.tsx'

/** The descriptions: `#/docs/api` and `#/docs/admin`. */
const books = [
  { name: 'api', title: 'API', file: '/openapi.json', use: useContract },
  { name: 'admin', title: 'Admin plane', file: '/__admin/openapi.json', use: usePlaneDescription },
] as const
type Book = (typeof books)[number]

/** The contract, whose operations are forms, and the reference of the admin plane. The URL names one, and sends nothing. */
export function View({ app }: { readonly app: App }) {
  const [name = 'api'] = app.places.at.value.rest
  const book = books.find(one => one.name === name)
  if (book === undefined) return <Problem title="There is no such page">Docs has two: api and admin.</Problem>
  return <BookPages key={name} app={app} book={book} />
}

interface BookProps {
  readonly app: App
  readonly book: Book
}

function BookPages({ app, book }: BookProps) {
  const { value: document, error } = book.use(app)
  const keys = useKeys(app)
  const { places } = app
  const [, id] = places.at.value.rest
  if (document === undefined || keys === undefined)
    return error === undefined ? null : <Problem title="No description">{error.message}</Problem>
  const shown = document.operations.find(operation => operation.id === id)
  const linkTo = (operation: Operation) => places.linkTo('docs', [book.name, operation.id])
  return (
    <OperationPages
      app={app}
      document={document}
      shown={shown}
      linkTo={linkTo}
      home={places.linkTo('docs', [book.name])}
      isOpen={id !== undefined}
      head={<Head app={app} book={book} />}
    >
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
    </OperationPages>
  )
}

/** The title, and the way from one description to the other. */
function Head({ app, book }: BookProps) {
  return (
    <>
      <h1>Docs</h1>
      <nav class="docs-books" aria-label="Descriptions">
        {books.map(({ name, title }) => (
          <a
            key={name}
            class="button"
            href={app.places.linkTo('docs', [name])}
            aria-current={name === book.name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
    </>
  )
}
