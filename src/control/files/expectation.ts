import type { z } from 'zod'
import { unionOptions } from './issues.ts'

/** The words for each of zod's types. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map of names',
}

/** Completes "expected …" for issues whose schema has no message of its own. */
export function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected
  if (issue.code === 'unrecognized_keys') return 'known fields only'
  const values = issue.code === 'invalid_value' ? issue.values : unionOptions(issue)
  if (values.length === 0) return 'something else'
  return values.length === 1 && issue.code === 'invalid_value'
    ? `${String(values[0])}`
    : `one of ${values.map(String).join(', ')}`
}
