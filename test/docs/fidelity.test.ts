import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contractDocument } from '../../src/generated/contract.ts'
import { checkIds } from '../../src/judges/conformance/checks.ts'
import { operations } from '../../src/service/operations/operations.ts'
import { conformancePage } from '../../tools/build/fidelity.ts'
import { specifiedResponses, statements } from '../../tools/build/fidelity-statements.ts'
import { loadOperations } from '../support/contract.ts'

const page = readFileSync('docs/contributors/conformance.md', 'utf8')
const assumptions = readFileSync('docs/assumptions.md', 'utf8')

test('the page is up to date', () => {
  expect(page).toBe(conformancePage(contractDocument))
})

test('it has every response of the contract, and every header of each', async () => {
  for (const { operationId, responses } of await loadOperations()) {
    for (const [status, { headers }] of Object.entries(responses)) {
      expect(page).toMatch(new RegExp(`^\\| \`${operationId}\` ${status} +\\| (?:emulated|assumed: )`, 'm'))
      for (const name of Object.keys(headers)) {
        const where = `(?:every response|[^|]*\\b${operationId} ${status}\\b[^|]*)`
        expect(page).toMatch(new RegExp(`^\\| \`${name}\` +\\| ${where} +\\| (?:emulated|assumed: )`, 'm'))
      }
    }
  }
})

test('it has every check', () => {
  for (const id of checkIds) expect(page).toMatch(new RegExp(`^\\| \`${id}\` +\\| `, 'm'))
})

test.each(operations)('a statement names $id by its method and path', ({ method, path }) => {
  expect(statements.map(({ says }) => says).join('\n')).toContain(`\`${method} ${path}\``)
})

test.each(operations)('specifiedResponses lists $id, and only documented responses', async ({ id }) => {
  const documented = (await loadOperations()).find(({ operationId }) => operationId === id)?.responses ?? {}
  expect(specifiedResponses).toHaveProperty(id)
  expect(Object.keys(documented)).toEqual(expect.arrayContaining([...specifiedResponses[id]]))
})

test('the statements mention every assumption', () => {
  const ids = statements.flatMap(({ verdict }) => ('assumed' in verdict ? verdict.assumed : []))
  const all = [...assumptions.matchAll(/^\| (A\d\d) +\|/gm)].map(([, id]) => id)
  expect([...new Set(ids)].sort()).toEqual(all)
})
