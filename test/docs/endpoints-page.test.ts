import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { followPage } from '../support/follow-page.ts'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'
import { serveJson } from '../support/run-command.ts'

needPosix('shell')

test('the file of the page does what the page says', { timeout: 60_000 }, async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  expect((await followPage('docs/endpoints.md')).commands).toBe(3)
})

test('the line about a contradiction is printed like that', async () => {
  const [, line] = /^```text\n(.*)\n```$/m.exec(readFileSync('docs/endpoints.md', 'utf8')) ?? []
  const file = `openapi: 3.1.0
info:
  title: Toys
  version: 1.0.0
paths:
  /v1/pets:
    get:
      parameters:
        - name: sort
          in: query
      responses:
        "200": { description: The pets }
`
  const cwd = directoryWith({ 'toys.yaml': file })
  const { untilTold, stderr } = await serveJson(['--openapi', 'toys.yaml'], { cwd })
  await untilTold(/sort/)
  expect(stderr()).toContain(line)
})
