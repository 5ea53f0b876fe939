import './operations.css'
import type { ComponentChildren } from 'preact'
import type { App } from '../app/app.ts'
import { Icon } from '../design/icon.tsx'
import type { ApiDocument, Operation } from './operation.ts'
import { OperationList } from './operation-list.tsx'

export interface OperationPagesProps {
  readonly app: App
  readonly document: ApiDocument
  readonly shown: Operation | undefined
  readonly linkTo: (operation: Operation) => string
  /** Leads to the list. Narrow screens show either the list or one operation. */
  readonly home: string
  /** Whether the place names an operation. */
  readonly isOpen: boolean
  /** Above the list. */
  readonly head: ComponentChildren
  readonly children: ComponentChildren
}

/** The list of operations beside one of them. */
export function OperationPages({ app, head, home, isOpen, children, ...list }: OperationPagesProps) {
  return (
    <div class="operation-pages" data-open={isOpen}>
      <aside aria-label="Operations">
        {head}
        <OperationList app={app} {...list} />
      </aside>
      <div class="operation-page">
        <a class="all-operations" href={home}>
          <Icon name="back" /> All operations
        </a>
        {children}
      </div>
    </div>
  )
}
