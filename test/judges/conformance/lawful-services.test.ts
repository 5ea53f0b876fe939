import { expect, test } from 'vitest'
import { checkIds } from '../../../src/judges/conformance/checks.ts'
import { checkTraits } from './service/check-service.ts'
import { describeLawful } from './service/describe-services.ts'

describeLawful('free')

test.each([true, false])('every check has an outcome, or a reason, with writes: %s', async allowsWrites => {
  const { outcome } = await checkTraits({}, { allowsWrites })
  const open = new Set(outcome.notChecked.map(({ id }) => id))
  expect(checkIds.filter(id => !outcome.checked.has(id) && !open.has(id))).toEqual([])
  expect(outcome.notChecked.filter(({ reason }) => reason === '')).toEqual([])
})
