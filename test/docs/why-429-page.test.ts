import { expect, test } from 'vitest'
import { followPage } from '../support/follow-page.ts'
import { findProgram, needPosix, requireOrSkip } from '../support/requirements.ts'

needPosix('shell')

test('the page explains the call that it makes', { timeout: 60_000 }, async context => {
  requireOrSkip(context, 'curl', findProgram('curl'))
  expect((await followPage('docs/why-429.md')).commands).toBe(3)
})
