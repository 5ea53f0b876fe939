import type { z } from 'zod'
import { namesOfBranches } from './issues.ts'

/** What each kind of zod's is called in a complaint. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map of names',
}

/** What a schema expects, in words that follow "expected", where the schema itself does not say it better. */
export function expectation(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
  }
  const names = namesOfBranches(issue)
  if (names.length > 0) return `one of ${names.join(', ')}`
  if (issue.code === 'unrecognized_keys') return 'known fields only'
  return 'something else'
}
