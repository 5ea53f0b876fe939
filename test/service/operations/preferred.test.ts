import { describe, expect, it } from 'vitest'
import type { Preferences } from '../../../src/service/call/prefer.ts'
import {
  findExample,
  judgePreferences,
  refusedPreferences,
} from '../../../src/service/operations/preferred.ts'

const preferring = (some: Partial<Preferences>): Preferences => ({
  code: undefined,
  success: undefined,
  example: undefined,
  delayMs: undefined,
  unmet: [],
  ...some,
})
const odd = { text: 'wait=1', why: 'pet-mock has no such preference' }

describe('an example', () => {
  it.each<[Partial<Preferences>, Parameters<typeof findExample>[1], object | undefined]>([
    [{}, 'listPets', undefined],
    [{ example: 'empty' }, 'listPets', { status: 200, body: '[]' }],
    [{ example: 'empty', success: 200 }, 'listPets', { status: 200, body: '[]' }],
    [{ example: 'empty', code: 404 }, 'listPets', { why: 'this example has the status 200' }],
    [{ example: 'empty', success: 204 }, 'listPets', { why: 'this example has the status 200' }],
    [{ example: 'empty' }, undefined, { why: 'the operation has no such example for its success' }],
    [
      { example: 'toString' },
      'listOrders',
      { why: expect.stringMatching(/^the examples of listOrders are \w+(?:, \w+)+$/) },
    ],
  ])('%j of %s', (preferences, operation, found) => {
    expect(findExample(preferring(preferences), operation)).toEqual(found)
  })
})

it.each<[Partial<Preferences>, readonly string[]]>([
  [{}, []],
  [{ code: 503 }, ['code=503']],
  [{ success: 204 }, ['code=204']],
  [{ example: 'empty' }, ['example=empty']],
  [{ delayMs: 0 }, ['delay=0']],
  [{ code: 503, example: 'empty', delayMs: 5 }, ['code=503', 'example=empty', 'delay=5']],
])('a refused call gets nothing of %j', (preferences, texts) => {
  const why = 'another check came first'
  expect(refusedPreferences(preferring({ ...preferences, unmet: [odd] }))).toEqual([
    ...texts.map(text => ({ text, why })),
    odd,
  ])
})

describe('a reply with 200', () => {
  const none = { met: [], unmet: [] }
  it.each<[Partial<Preferences>, applied: string | undefined, object]>([
    [{}, undefined, none],
    [{ code: 503 }, undefined, { ...none, met: ['code=503'] }],
    [{ success: 200 }, undefined, { ...none, met: ['code=200'] }],
    [
      { success: 204 },
      undefined,
      {
        ...none,
        unmet: [
          { text: 'code=204', why: 'only a status from 400 to 599 can be asked for, and this call got 200' },
        ],
      },
    ],
    [{ delayMs: 0 }, undefined, { ...none, met: ['delay=0'] }],
    [{ example: 'empty', delayMs: 5 }, undefined, { ...none, met: ['example=empty', 'delay=5'] }],
    [
      { example: 'cat' },
      undefined,
      { ...none, unmet: [{ text: 'example=cat', why: expect.stringContaining('the examples of listPets') }] },
    ],
    [{ example: 'cat' }, 'a=b, example=cat', { ...none, met: ['example=cat'] }],
    [
      { example: 'cat' },
      'example=cats',
      { ...none, unmet: [{ text: 'example=cat', why: expect.anything() }] },
    ],
    [{ unmet: [odd] }, undefined, { ...none, unmet: [odd] }],
  ])('meets of %j, beside %j', (preferences, applied, outcome) => {
    expect(judgePreferences(preferring(preferences), 'listPets', 200, applied)).toEqual(outcome)
  })
})
