import type { ComponentChildren } from 'preact'
import { Icon } from '../../design/icon.tsx'

/** A part of the Overview. Its heading leads to the page that has more. */
export function Card(props: { class?: string; name: string; href: string; children: ComponentChildren }) {
  return (
    <section class={`card ${props.class ?? ''}`} aria-label={props.name}>
      <h2>
        <a href={props.href}>
          <span class="wraps">{props.name}</span>
          <Icon name="forward" />
        </a>
      </h2>
      {props.children}
    </section>
  )
}
