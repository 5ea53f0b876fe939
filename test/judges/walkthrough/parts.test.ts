import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/json/value.ts'
import type { Step } from '../../../src/control/scenario/file.ts'
import { describeStep, type PlayedStep, play, useExpected } from '../../../src/judges/walkthrough/play.ts'

const call = 'GET /v1/pets'

test.each<[step: Step, line: string]>([
  [{ call }, 'GET /v1/pets'],
  [{ call, repeat: 3 }, 'GET /v1/pets ×3'],
  [{ call, parallel: 3 }, 'GET /v1/pets ×3 at once'],
  [{ call, key: null }, 'GET /v1/pets, without a key'],
  [{ call, key: 'demo-pro' }, 'GET /v1/pets, with the key demo-pro'],
  [{ advance: '5s' }, 'advance 5s'],
  [{ change: { do: 'deletePet', id: 7 } }, 'deletePet id 7'],
  [{ note: 'A remark.' }, ''],
])('%j is shown as: %s', (step, line) => {
  expect(describeStep(step)).toBe(line)
})

test('saved values stand in the texts of expected headers, and in nothing else', () => {
  const headers = { Location: '/v1/pets/${pet}', Link: null, Date: true, Age: 7 } as const
  expect(useExpected({ call, expect: { headers } }, new Map([['pet', 5]]))?.headers).toEqual({
    ...headers,
    Location: '/v1/pets/5',
  })
})

test('a saved list or object stands as JSON in a text', () => {
  const headers = { 'X-Pet': 'pet: ${pet}, names: ${names}' }
  const saved = new Map<string, JsonValue>([
    ['pet', { id: 5 }],
    ['names', ['Rex', 'Luna']],
  ])
  expect(useExpected({ call, expect: { headers } }, saved)?.headers).toEqual({
    'X-Pet': 'pet: {"id":5}, names: ["Rex","Luna"]',
  })
})

test.each<[text: string, differences: readonly object[]]>([
  ['{"half":', []],
  ['', [{ what: 'fails', expected: 'malformed', got: '200' }]],
  ['[]', [{ what: 'fails', expected: 'malformed', got: '200' }]],
])('an answer with the body “%s” is compared with one that is no JSON', async (text, differences) => {
  const done = () => ({ ok: true }) as const
  const target = {
    call: () => ({ status: 200, headers: {}, text }),
    advance: done,
    change: done,
    cannotJudge: () => undefined,
  }
  const played: PlayedStep[] = []
  for await (const step of play([{ call, expect: { fails: 'malformed' } }], 'demo-free', target))
    played.push(step)
  expect(played).toMatchObject([{ differences }])
})
