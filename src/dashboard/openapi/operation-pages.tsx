import './operations.css'
import type { ComponentChildren } from 'preact'
import { Icon } from '../design/icon.tsx'
import { OperationList, type OperationListProps } from './operation-list.tsx'

export interface OperationPagesProps extends OperationListProps {
  /** Leads to the list. Narrow screens show either the list or one operation. */
  readonly home: string
  readonly isOpen: boolean
  readonly head: ComponentChildren
  readonly children: ComponentChildren
}

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
