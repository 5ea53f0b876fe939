/** Each icon is lines of one width on a grid of 16, whose points are half a unit apart. */
const paths = {
  paw: 'M3.5 7v.5M6.5 4v.5M9.5 4v.5M12.5 7v.5M8 8C6 8 4.5 10 4.5 11.5 4.5 12.5 5.5 13.5 8 13.5s3.5-1 3.5-2C11.5 10 10 8 8 8Z',
  overview: 'M2.5 2.5h4v5h-4ZM9.5 2.5h4v3h-4ZM9.5 8.5h4v5h-4ZM2.5 10.5h4v3h-4Z',
  list: 'M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8.5 7.5 3 13M5 11l1.5 1.5',
  flight: 'M2.5 13.5h11M3 10l3-4 3 2.5L13 3',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3.5l2 1.5',
  map: 'M6 3 2.5 4.5V13L6 11.5l4 1.5 3.5-1.5V3L10 4.5 6 3ZM6 3v8.5M10 4.5V13',
  box: 'M8 2 2.5 5v6L8 14l5.5-3V5L8 2ZM2.5 5 8 8l5.5-3M8 8v6',
  flag: 'M3.5 14V2.5h9l-2 3.5 2 3.5h-9',
  play: 'M5 3v10l8-5-8-5Z',
  book: 'M8 4.5C7 3.5 5 3 2.5 3v9.5c2.5 0 4.5.5 5.5 1.5 1-1 3-1.5 5.5-1.5V3C11 3 9 3.5 8 4.5ZM8 4.5V14',
  rule: 'M9 2 3.5 9H8l-1 5 5.5-7H8l1-5Z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5l3 3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  forward: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.5 3.5l.5.5M12 12l.5.5M12.5 3.5l-.5.5M4 12l-.5.5',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3a5 5 0 0 0 6.5 6.5Z',
  half: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 2.5v11M10.5 4v8',
} as const

export type IconName = keyof typeof paths
export const iconNames = Object.keys(paths) as readonly IconName[]

/** A picture beside words, which screen readers skip. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
