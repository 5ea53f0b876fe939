import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { changing } from '../../support/changes.ts'
import { scenarioOf } from '../../support/scenarios.ts'

test.each<[others: readonly (string | undefined)[], name: string]>([
  [[], 'rule-1'],
  [[undefined, undefined], 'rule-3'],
  [['outage'], 'rule-2'],
  [['rule-2'], 'rule-3'],
  [['rule-4', 'rule-3', 'outage'], 'rule-5'],
])('beside the rules %j, an added rule without a name is %s', (others, name) => {
  const then = { status: 503 }
  const rules = others.map(other => ({ ...(other !== undefined && { name: other }), then }))
  const emulator = createEmulator({ scenario: scenarioOf({ rules }), startedAt: 0 })
  expect(changing(emulator)({ do: 'addRule', rule: { then } })).toMatchObject({
    ok: true,
    changed: { rule: { rule: { name } } },
  })
})
