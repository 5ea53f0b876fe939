import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { PetMockErrorCode } from '../../src/library/client/pet-mock-error.ts'
import { type ProblemCode, problems } from '../../src/service/call/problems.ts'

const page = readFileSync('docs/errors.md', 'utf8')

const own = {
  invalid_scenario: true,
  invalid_openapi: true,
  invalid_profile: true,
  missing_globals: true,
  timed_out: true,
  finding_missing: true,
  assumed_settings: true,
  unreachable: true,
  cannot_listen: true,
  cannot_write: true,
} as const satisfies Record<Exclude<PetMockErrorCode, ProblemCode>, true>

test('docs/errors.md has each code once, with its status', () => {
  const listed = page.split('\n').flatMap(line => {
    const [, status, codes = ''] = /^- (?:(\d+) )?((?:`\w+`(?:, )?)+): \S/.exec(line) ?? []
    return [...codes.matchAll(/\w+/g)].map(([code]) => [code, status === undefined ? true : Number(status)])
  })
  expect(listed.toSorted()).toEqual(Object.entries({ ...problems, ...own }).toSorted())
})
