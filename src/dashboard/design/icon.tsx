import paths from './icons.json' with { type: 'json' }

export type IconName = keyof typeof paths
export const iconNames = Object.keys(paths) as readonly IconName[]

/** A picture beside words, which screen readers skip: lines of one width on a grid of 16, whose points are half a unit apart. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
