import { useEffect, useRef } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Icon } from '../design/icon.tsx'
import { parts } from '../parts/parts.ts'
import { partAt } from './part-page.tsx'

/** The links to all parts. */
export function Menu({ app: { places } }: { readonly app: App }) {
  const here = partAt(places.at.value)
  const nav = useRef<HTMLElement>(null)
  // Narrow pages show a part of the menu.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [here])
  return (
    <nav ref={nav} class="menu" aria-label="Parts">
      {parts.map(({ path, title, icon }) => (
        <a key={path} href={places.linkTo(path)} aria-current={path === here?.path ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{title}</span>
        </a>
      ))}
    </nav>
  )
}
