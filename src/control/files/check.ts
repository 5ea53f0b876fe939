import type { z } from 'zod'
import type { JsonValue } from '../../base/json/value.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { type Complaint, sortComplaints } from './complaint.ts'
import { complain, type Document } from './document.ts'
import { expectation } from './expectation.ts'
import { type Issue, missingPart, namesOfBranches, rightBranch } from './issues.ts'
import { type BranchNames, branchAt, branchNames, exampleAt, fieldNames } from './schema-fields.ts'
import { about, type Path, showFlow, showPath, showValue } from './show.ts'

/** Nobody reads more about one file. */
export const mostComplaints = 100

export type Checking<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly complaints: readonly Complaint[]
      /** Where something is wrong; the path of an unknown field is its own. */
      readonly badPaths: readonly Path[]
    }

/** A document's value as the schema has it, or what about it does not fit, in the order of the file. */
export function check<T>(schema: z.ZodType<T>, document: Document): Checking<T> {
  const result = schema.safeParse(document.value, { error: expectation })
  if (result.success) return { ok: true, value: result.data }
  const { issues } = result.error
  const complaints = sortComplaints(
    issues.slice(0, mostComplaints).flatMap(issue => complaintsOf(issue, [], schema, document)),
  )
  const badPaths = issues.flatMap(issue => badPathsOf(issue, []))
  const last = complaints.at(-1)
  const left = issues.length - mostComplaints
  if (left <= 0 || last === undefined) return { ok: false, complaints, badPaths }
  const more = { ...last, message: `and ${left} more complaints about this file` }
  return { ok: false, complaints: [...complaints, more], badPaths }
}

function badPathsOf(issue: Issue, above: Path): readonly Path[] {
  const path = [...above, ...(issue.path as Path)]
  const branch = rightBranch(issue)
  if (branch !== undefined) return branch.issues.flatMap(inner => badPathsOf(inner, path))
  return issue.code === 'unrecognized_keys' ? issue.keys.map(name => [...path, name]) : [path]
}

/** `schema` stands at the path `above`, from which the issue's own path leads on; `forms`: of the union that it is of. */
function complaintsOf(
  issue: Issue,
  above: Path,
  schema: z.core.$ZodType,
  document: Document,
  forms?: BranchNames,
): readonly Complaint[] {
  const within = issue.path as Path
  const path = [...above, ...within]
  const branch = rightBranch(issue)
  if (branch !== undefined) {
    const meant = branchAt(schema, within, branch.index) ?? schema
    const names = branchNames(schema, within, branch.index)
    return branch.issues.flatMap(inner => complaintsOf(inner, path, meant, document, names))
  }
  if (issue.code === 'unrecognized_keys') {
    const known = fieldNames(schema, within, valueAt(document.value, path))
    return issue.keys.map(name => {
      const isOfOther = within.length === 0 && forms?.others.has(name) === true
      const message = isOfOther
        ? `cannot stand beside ${forms.own.join(', ')}: make an item of its own for it`
        : `unknown field${suggest(name, known) || (known.length === 0 ? '; none is known here' : `; known are ${known.join(', ')}`)}`
      return complain(document, [...path, name], 'key', about([...path, name], message))
    })
  }
  if (issue.code === 'invalid_key') {
    const expected = issue.issues[0]?.message ?? 'another name'
    return [complain(document, path, 'key', about(path, `expected ${expected} as its name`))]
  }
  const found = valueAt(document.value, path)
  const missing = missingPart(path, found)
  if (missing !== undefined) {
    const { parent, name } = missing
    const message = about(parent, `${showPath([name])} is missing: expected ${issue.message}`)
    return [complain(document, parent, 'key', message)]
  }
  return [
    complain(
      document,
      path,
      'value',
      about(
        path,
        `expected ${issue.message}${isOfFields(issue) ? '' : `, found ${showValue(found)}`}${hint(issue, found) || rightForm(issue, found, exampleAt(schema, within))}`,
      ),
    ),
  ]
}

/** What a schema says of fields that do not go together: what was found is a map, and that is not what is wrong. */
function isOfFields(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.ofFields === true
}

/** Of fields that are written as something else, the likeliest slip, or how they are written. */
function rightForm(issue: Issue, found: unknown, example: unknown): string {
  if (!/a map of (?:fields|names)$/.test(issue.message)) return ''
  const [, name, value] = (typeof found === 'string' && /^([\w.+~-]+):(?!\/\/)(\S.*)$/.exec(found)) || []
  if (name !== undefined) return `: a space is missing after the colon, write ${name}: ${value}`
  return example === undefined ? '' : `; write it like ${showFlow(example)}`
}

/** What to write, where YAML 1.2 is not what many remember of YAML. */
function hint(issue: Issue, found: unknown): string {
  if (issue.code === 'invalid_type' && issue.expected === 'boolean' && typeof found === 'string') {
    if (/^(y|yes|on|true)$/i.test(found)) return ': write true'
    if (/^(n|no|off|false)$/i.test(found)) return ': write false'
  }
  if (
    issue.code === 'invalid_type' &&
    issue.expected === 'string' &&
    (typeof found === 'number' || typeof found === 'boolean')
  ) {
    return `: write "${found}", in quotes`
  }
  if (typeof found === 'string') {
    const words = issue.code === 'invalid_value' ? issue.values : namesOfBranches(issue)
    return suggest(found, words.map(String))
  }
  return ''
}

function valueAt(value: JsonValue, path: Path): unknown {
  let at: unknown = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Readonly<Record<string | number, unknown>>)[part]
  }
  return at
}
