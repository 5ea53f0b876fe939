import type { ComponentChildren } from 'preact'

/** Stands where content would be: nothing there yet, or an error. */
export function Problem({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="problem">
      <h2>{title}</h2>
      {children && <div>{children}</div>}
    </div>
  )
}
