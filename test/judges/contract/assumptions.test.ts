import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Field, Fields } from '../../../src/control/fields/field.ts'
import { limits } from '../../../src/control/scenario/settings/behaviour.ts'
import { scenarioFile as scenario } from '../../../src/control/scenario/settings/scenario-file.ts'
import { pets } from '../../../src/control/scenario/settings/world.ts'

const text = read('../../../docs/assumptions.md')
const entries = [...text.matchAll(/^\| (A\d\d) +\| (.*?) +\| (.*?) +\|$/gm)].map(
  ([, id = '', says = '', setting = '']) => ({ id, says, setting }),
)
const ids = Array.from({ length: 22 }, (_, index) => `A${String(index + 1).padStart(2, '0')}`)

describe('the entries', () => {
  test('are A01 to A22, each once and in order', () => {
    expect(entries.map(({ id }) => id)).toEqual(ids)
  })

  test.each(entries)(
    '$id says in at most 25 words what pet-mock does, and how to change it',
    ({ says, setting }) => {
      expect(says.split(' ').length).toBeLessThanOrEqual(25)
      expect(setting).toMatch(/^(?:–|(?:`[\w.-]+`(?:, )?)+)$/)
    },
  )

  test('explain every id that openapi.yaml uses', () => {
    const used = read('../../../openapi.yaml').match(/\bA\d\d\b/g)
    expect(ids).toEqual(expect.arrayContaining([...new Set(used)]))
  })

  test('explain every id that this page uses', () => {
    const used = text.match(/\bA\d\d\b/g)
    expect(ids).toEqual(expect.arrayContaining([...new Set(used)]))
  })
})

const assumed = Object.entries({
  ...scenario.fields,
  ...prefixed(limits.fields),
  ...prefixed(pets.fields, 'pets'),
}).flatMap(([name, { assumption }]: [string, Field]) =>
  assumption === undefined ? [] : [[name, assumption]],
)

test.each(assumed)('the setting %s stands in its entry, %s', (name, assumption) => {
  expect(entries.find(({ id }) => id === assumption)?.setting).toContain(`\`${name}\``)
})

function prefixed(fields: Fields, path = 'limits'): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${path}.${name}`, field]))
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}
