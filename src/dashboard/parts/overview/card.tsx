import type { ComponentChildren } from 'preact'
import { Icon } from '../../design/icon.tsx'

interface CardProps {
  readonly class?: string
  readonly name: string
  /** The page that has more. */
  readonly href: string
  readonly title?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of the Overview. Its heading leads to the page that has more. */
export function Card({ class: kind = '', name, href, title = name, children }: CardProps) {
  return (
    <section class={`card ${kind}`} aria-label={name}>
      <h2>
        <a href={href}>
          <span>{title}</span>
          <Icon name="forward" />
        </a>
      </h2>
      {children}
    </section>
  )
}
