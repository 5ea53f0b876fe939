import type { z } from 'zod'
import type { JsonValue } from '../../base/json/value.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { type Complaint, sortComplaints } from './complaint.ts'
import { complain, type Document } from './document.ts'
import { expectation } from './expectation.ts'
import { type Issue, likeliestBranch, unionOptions } from './issues.ts'
import { type Branch, branchAt, exampleAt, fieldNames } from './schema-fields.ts'
import { about, type Path, showFlow, showPath, showValue } from './show.ts'

/** More complaints about one file are only counted. */
export const mostComplaints = 100

export type Checking<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly complaints: readonly Complaint[]
      /** The paths of all mistakes, including unknown and missing fields. */
      readonly badPaths: readonly Path[]
    }

/** Checks a document against a schema. Complaints are in the order of the file. */
export function check<T>(schema: z.ZodType<T>, document: Document): Checking<T> {
  const result = schema.safeParse(document.value, { error: expectation })
  if (result.success) return { ok: true, value: result.data }
  const mistakes = result.error.issues.flatMap(issue => mistakesOf(issue, [], schema))
  const complaints = sortComplaints(
    mistakes.slice(0, mostComplaints).map(mistake => complaintOf(mistake, document)),
  )
  const badPaths = mistakes.map(({ path }) => path)
  const last = complaints.at(-1)
  const left = mistakes.length - mostComplaints
  if (left <= 0 || last === undefined) return { ok: false, complaints, badPaths }
  const more = { ...last, message: `and ${left} more complaints about this file` }
  return { ok: false, complaints: [...complaints, more], badPaths }
}

/** An issue of the schema library, without the unions around it. */
interface Mistake {
  readonly issue: Issue
  /** An unknown field has its own path. */
  readonly path: Path
  /** The schema that reports the issue, and the path from there. */
  readonly schema: z.core.$ZodType
  readonly within: Path
  /** The branch of a union that `schema` is. */
  readonly branch: Branch | undefined
}

function mistakesOf(issue: Issue, above: Path, schema: z.core.$ZodType, branch?: Branch): readonly Mistake[] {
  const within = issue.path as Path
  const path = [...above, ...within]
  const likeliest = likeliestBranch(issue)
  if (likeliest !== undefined) {
    const meant = branchAt(schema, within, likeliest.index)
    return likeliest.issues.flatMap(inner => mistakesOf(inner, path, meant.schema ?? schema, meant))
  }
  const mistake = { issue, path, schema, within, branch }
  if (issue.code !== 'unrecognized_keys') return [mistake]
  return issue.keys.map(name => ({ ...mistake, path: [...path, name] }))
}

function complaintOf(mistake: Mistake, document: Document): Complaint {
  const { issue, path, schema, within } = mistake
  const atKey = (key: Path, message: string) => complain(document, key, 'key', about(key, message))
  if (issue.code === 'unrecognized_keys') return atKey(path, unknownField(mistake, document))
  // The check of a declared shape has found it, and says it in full.
  if (issue.code === 'custom' && typeof issue.params?.part === 'string')
    return complain(document, path, 'value', about(path, issue.message))
  if (issue.code === 'invalid_key')
    return atKey(path, `expected ${issue.issues[0]?.message ?? 'another name'} as its name`)
  const found = valueAt(document.value, path)
  const name = path.at(-1)
  if (found === undefined && typeof name === 'string')
    return atKey(path.slice(0, -1), `${showPath([name])} is missing: expected ${issue.message}`)
  // An issue about fields that exclude each other: the value itself is a map, as it should be.
  const isOfFields = issue.code === 'custom' && issue.params?.ofFields === true
  const butFound = isOfFields ? '' : `, found ${showValue(found)}`
  const advice = hint(issue, found) || rightForm(issue, found, exampleAt(schema, within))
  return complain(document, path, 'value', about(path, `expected ${issue.message}${butFound}${advice}`))
}

function unknownField({ path, schema, within, branch }: Mistake, document: Document): string {
  const name = `${path.at(-1)}`
  if (within.length === 0 && branch?.others.has(name) === true)
    return `not allowed next to ${branch.own.join(', ')}: move it to an item of its own`
  const known = fieldNames(schema, within, valueAt(document.value, path.slice(0, -1)))
  const list = known.length === 0 ? '; no fields are allowed here' : `; known are ${known.join(', ')}`
  return `unknown field${suggest(name, known) || list}`
}

/** For a map that is written as something else: the likeliest slip, or an example. */
function rightForm(issue: Issue, found: unknown, example: unknown): string {
  if (!/a map of (?:fields|names)$/.test(issue.message)) return ''
  const [, name, value] = (typeof found === 'string' && /^([\w.+~-]+):(?!\/\/)(\S.*)$/.exec(found)) || []
  if (name !== undefined) return `: add a space after the colon, as in ${name}: ${value}`
  return example === undefined ? '' : `; write it like ${showFlow(example)}`
}

/** What to write where YAML 1.2 differs from YAML 1.1, or the word that was meant. */
function hint(issue: Issue, found: unknown): string {
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined
  if (expected === 'boolean' && typeof found === 'string') {
    if (/^(y|yes|on|true)$/i.test(found)) return ': write true'
    if (/^(n|no|off|false)$/i.test(found)) return ': write false'
  }
  if (expected === 'string' && (typeof found === 'number' || typeof found === 'boolean'))
    return `: write "${found}", in quotes`
  if (typeof found !== 'string') return ''
  return suggest(found, (issue.code === 'invalid_value' ? issue.values : unionOptions(issue)).map(String))
}

function valueAt(value: JsonValue, path: Path): unknown {
  let at: unknown = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Readonly<Record<string | number, unknown>>)[part]
  }
  return at
}
