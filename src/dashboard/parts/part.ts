import type { ComponentType } from 'preact'
import type { AppProps } from '../app/app.ts'
import type { IconName } from '../design/icon.tsx'

export interface Part {
  /** The first word of its place: `#/requests`. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly shortcut?: string
  /** Only for a server that was opened from a box. */
  readonly isOfBox?: true
  readonly load: () => Promise<{ readonly View: ComponentType<AppProps> }>
}
