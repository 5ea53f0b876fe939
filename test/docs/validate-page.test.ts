import { expect, test } from 'vitest'
import { followPage } from '../support/follow-page.ts'
import { needPosix } from '../support/requirements.ts'

needPosix('signals')

/** A service that breaks a rule of the specification. */
const odd = `rules:
  - match: { path: /v1/pets, query: { limit: "1" } }
    then: { body: [{ id: 1, name: Rex, categoryId: 1 }, { id: 2, name: Max, categoryId: 1 }] }
`

test('the page checks, forwards, runs a suite and generates types', { timeout: 180_000 }, async () => {
  const files = { 'odd.yaml': odd, 'package.json': '{ "scripts": { "test": "node --version" } }' }
  const { commands } = await followPage('docs/validate.md', { files, service: '-s odd.yaml --no-marks' })
  expect(commands).toBe(3)
})
