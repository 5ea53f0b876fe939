import { expect, test } from 'vitest'
import { readJson } from '../../../src/base/json/read.ts'
import { command } from '../../../src/control/scenario/settings/scenario-file.ts'
import { readCommand } from '../../support/read-command.ts'

async function read(text: string) {
  const json = readJson(text)
  if (!('value' in json)) throw new Error('must be JSON')
  return await readCommand(json.value)
}

const names =
  'freezeClock, advanceClock, resumeClock, resetClock, addKey, changeKey, deleteKey, banKey, unbanKey, addPet, changePet, deletePet, addRule, changeRule, removeRule, setScenario, reset, restoreSnapshot, clearRequests, createSandbox, dropSandbox'

test.each<[string, ...string[]]>([
  ['5', 'expected a map of fields, found 5'],
  ['{}', `do is missing: expected one of ${names}`],
  ['{"do":"bankey"}', `do: expected one of ${names}, found "bankey"; did you mean banKey?`],
  ['{"do":"banKey"}', 'key is missing: expected an API key (letters, digits and . _ ~ + / -)'],
  ['{"do":"banKey","key":"a","fr":"2m"}', 'fr: unknown field; did you mean for?'],
  ['{"do":"banKey","key":"a","plan":"pro"}', 'plan: unknown field; known are do, key, for'],
  [
    '{"do":"banKey","key":"a","for":120}',
    'for: expected a duration with its unit (write 120s or 120ms), found 120',
  ],
  [
    '{"do":"changeKey","key":"a","used":{"minute":-1,"dya":1}}',
    'used.minute: expected a whole number of calls (0 to 2^52), found -1',
    'used.dya: unknown field; did you mean day?',
  ],
  ['{"do":"addPet","name":"Rex"}', 'categoryId is missing: expected a whole number of at most 64 bits'],
  [
    '{"do":"deletePet","id":"12x"}',
    'id: expected the id of a pet (a whole number of at most 64 bits), found "12x"',
  ],
  ['{"do":"setScenario","scenario":{"kyes":{}}}', 'scenario.kyes: unknown field; did you mean keys?'],
  [
    '{"do":"setScenario","scenario":7}',
    'scenario: expected the name of a shipped scenario, or a map of fields, found 7; write it like { extends: ban, seed: 7 }',
  ],
])('%s', async (text, ...problems) => {
  expect(await read(text)).toEqual({ ok: false, problems })
})

test('null is a value of its own: the quota of the plan', async () => {
  expect(await read('{"do":"changeKey","key":"a","limits":null}')).toEqual({
    ok: true,
    command: { do: 'changeKey', key: 'a', limits: null },
  })
})

test('the declared commands, in their order', () => {
  expect(Object.keys(command.options).join(', ')).toBe(names)
})
