import type { ComponentChildren } from 'preact'
import type { PlaneError } from '../plane/plane.ts'

/** Stands where content would be: nothing there yet, or an error. */
export function Problem({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="problem">
      <h2>{title}</h2>
      {children && <div>{children}</div>}
    </div>
  )
}

/** Stands for an answer that is not there: nothing while it is on its way, else why it did not come. */
export function Absent({ title, error }: { readonly title: string; readonly error: PlaneError | undefined }) {
  return error === undefined ? null : <Problem title={title}>{error.message}</Problem>
}
