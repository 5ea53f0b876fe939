import * as z from 'zod'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { about, type Path, showValue } from '../../../control/files/show.ts'

type Issue = z.core.$ZodIssue

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] }

/** A longer list of problems helps nobody. */
const mostProblems = 100

/** The value of a part of a request by its schema, or each problem as `path: message`. */
export function checkRequest<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const result = schema.safeParse(value, { error: expectation })
  if (result.success) return { ok: true, value: result.data }
  const problems = result.error.issues.flatMap(issue => problemsOf(issue, schema, value))
  return { ok: false, problems: problems.slice(0, mostProblems) }
}

/** The expected types of zod in words. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  object: 'a map of fields',
}

/** Completes "expected …" for schemas without a message of their own. */
function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected
  return issue.code === 'invalid_value' ? `one of ${issue.values.map(String).join(', ')}` : 'another value'
}

function problemsOf(issue: Issue, schema: z.ZodType, value: unknown): readonly string[] {
  const path = issue.path as Path
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, mostProblems).map(name => unknownField(name, schema))
  // The check of a declared shape reports a whole message.
  if (issue.code === 'custom' && typeof issue.params?.part === 'string') return [about(path, issue.message)]
  const found =
    path.length === 0 ? value : (value as Readonly<Record<string | number, unknown>>)[path[0] ?? '']
  const hint =
    issue.code === 'invalid_value' && typeof found === 'string'
      ? suggest(found, issue.values.map(String))
      : ''
  return [about(path, `expected ${issue.message}, found ${showValue(found)}${hint}`)]
}

function unknownField(name: string, schema: z.ZodType): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const list = known.length === 0 ? '; no fields are allowed here' : `; known are ${known.join(', ')}`
  return about([name], `unknown field${suggest(name, known) || list}`)
}
