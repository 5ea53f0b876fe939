import { type Complaint, complain, type Document, sortComplaints } from '../files/complaint.ts'
import { about, type Path } from '../files/show.ts'
import { check } from './check.ts'
import type { Shape } from './field.ts'
import type { Problems } from './problem.ts'

/** More complaints about one file help nobody. */
export const mostComplaints = 100

export type Checking<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly complaints: readonly Complaint[]
      /** Where something is wrong; the path of an unknown field is its own. */
      readonly badPaths: readonly Path[]
    }

/** A document's value, or everything that is wrong with it, in the order of the file. `T` is the type of the shape's values. */
export function checkDocument<T>(shape: Shape, document: Document): Checking<T> {
  const problems = check(shape, document.value)
  if (problems.length === 0) return { ok: true, value: document.value as T }
  const complaints = sortComplaints(complaintsAbout(document, problems.slice(0, mostComplaints)))
  const badPaths = problems.map(({ path }) => path)
  const left = problems.length - mostComplaints
  const last = complaints.at(-1)
  if (left <= 0 || last === undefined) return { ok: false, complaints, badPaths }
  const more = { ...last, message: `and ${left} more mistakes in this file` }
  return { ok: false, complaints: [...complaints, more], badPaths }
}

export function complaintsAbout(document: Document, problems: Problems): readonly Complaint[] {
  return problems.map(({ path, message, part = 'value' }) =>
    complain(document, path, part, about(path, message)),
  )
}
