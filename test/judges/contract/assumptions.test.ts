import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Field, Fields } from '../../../src/control/fields/field.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { limits } from '../../../src/control/scenario/settings/behaviour.ts'
import { defaultsOf } from '../../../src/control/scenario/settings/defaults.ts'
import { scenarioFile as scenario } from '../../../src/control/scenario/settings/scenario-file.ts'
import { pets } from '../../../src/control/scenario/settings/world.ts'
import { problems } from '../../../src/service/call/problems.ts'
import { shippedPlans } from '../../../src/service/plans/plan.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const text = read('../../../docs/assumptions.md')
const entries = text
  .split(/^(?=### )/m)
  .slice(1)
  .map(entry => ({ id: entry.slice(4, 7), entry }))
const ids = Array.from({ length: 22 }, (_, index) => `A${String(index + 1).padStart(2, '0')}`)

describe('the entries', () => {
  test('are A01 to A22, each once and in order', () => {
    expect(entries.map(({ id }) => id)).toEqual(ids)
  })

  test.each(entries)('$id says what is open, what pet-mock does, why, and how to change it', ({ entry }) => {
    const parts = Array.from(entry.matchAll(/^- \*\*(.+):\*\* \S/gm), ([, label]) => label)
    expect(parts).toEqual(['Open', 'pet-mock', 'Why', 'Setting'])
  })

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
  const setting = entries.find(({ id }) => id === assumption)?.entry.split('**Setting:**')[1]
  expect(setting).toContain(`\`${name}`)
})

function prefixed(fields: Fields, path = 'limits'): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${path}.${name}`, field]))
}

describe('the error codes', () => {
  const rows = Array.from(text.matchAll(/^\| +(\S[^|]*?) +\| +`(\w+)` +\| +\w/gm), ([, status, code]) => ({
    status,
    code,
  }))

  test.each(Object.entries(problems))('describe %s with its status, %i, once', (code, status) => {
    expect(rows.filter(row => row.code === code)).toEqual([{ code, status: String(status) }])
  })
})

describe('the settings', () => {
  const file = parse(text.match(/^```yaml\n([\s\S]*?)^```/m)?.[1] ?? '') as ScenarioFile

  test('are the fields of a scenario file, with their defaults', () => {
    const { behaviour, plans } = scenarioOf(file)
    expect({ behaviour, plans }).toEqual({ behaviour: scenarioOf({}).behaviour, plans: scenarioOf({}).plans })
  })

  test('are complete', () => {
    const { limits: given, plans, ...rest } = file
    expect(given).toEqual(defaultsOf(limits))
    expect(plans).toEqual(shippedPlans)
    expect(Object.keys(rest).toSorted()).toEqual(['bans', 'deprecation', 'pageSize', 'pagination', 'pets'])
  })
})

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}
