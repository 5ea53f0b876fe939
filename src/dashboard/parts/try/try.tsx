import './try.css'
import type { App } from '../../app/app.ts'
import { Problem } from '../../design/problem.tsx'
import { useContract } from '../../openapi/load-document.ts'
import { OperationPages } from '../../openapi/operation-pages.tsx'
import { useKeys } from '../../state/keys.ts'
import { OperationForm } from './operation-form.tsx'

/** The operations of the API as forms. The URL names the operation, and sends nothing. */
export function View({ app }: { readonly app: App }) {
  const { value: document, error } = useContract(app)
  const keys = useKeys(app)
  const [id] = app.places.at.value.rest
  if (document === undefined || keys === undefined)
    return error === undefined ? null : <Problem title="No contract">{error.message}</Problem>
  const { operations } = document
  const shown = id === undefined ? operations[0] : operations.find(one => one.id === id)
  return (
    <OperationPages
      app={app}
      document={document}
      shown={shown}
      linkTo={operation => app.places.linkTo('try', [operation.id])}
      home={app.places.linkTo('try')}
      isOpen={id !== undefined}
      head={<h1>Try it</h1>}
    >
      {shown === undefined ? (
        <Problem title="There is no such operation">The list has all of them.</Problem>
      ) : (
        <OperationForm
          key={`${shown.id} ${app.sandbox.value}`}
          app={app}
          document={document}
          operation={shown}
          keys={keys}
        />
      )}
    </OperationPages>
  )
}
