import { expect, test } from 'vitest'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Standing } from '../../../src/judges/conformance/answers.ts'
import { judgeRefusal, type ServiceAnswer } from '../../../src/judges/upstream/answer.ts'
import { createWindowJudge } from '../../../src/judges/upstream/sequences.ts'
import { noon } from '../../support/scenarios.ts'

/** What a judge remarks, as the ids of faults and the reasons of doubts. */
function remarksTo() {
  const told: string[] = []
  return {
    told,
    remarks: {
      fault: (id: string) => told.push(id),
      doubt: (_what: string, why: string) => told.push(why),
    },
  }
}

/** An answer to a list at a time in milliseconds. */
function answerAt(ms: number, rate: Standing, trace: Partial<Exchange['trace']> = {}): ServiceAnswer {
  const at = noon + ms
  const headers = ['Host', 'a', 'Authorization', 'Bearer key']
  return {
    exchange: { call: { headers }, trace },
    operation: 'listPets',
    status: 200,
    headers: { 'retry-after': '300' },
    sentAt: at - 10,
    answeredAt: at,
    serviceTime: at,
    spare: 5_000,
    rate,
  } as unknown as ServiceAnswer
}

const rate: Standing = { limit: 60, remaining: 30, reset: noon / 1_000 + 60, blockedUntil: undefined }

test.each<[trace: Partial<Exchange['trace']>, movesReset: boolean, told: readonly string[]]>([
  [{ gate: 'limit', code: 'rate_limit_exceeded' }, false, ['retry-agrees']],
  [{ gate: 'limit', code: 'api_key_banned' }, false, ['the key is banned']],
  [{ gate: 'ban', code: 'another_code' }, false, ['the key is banned']],
  [{ gate: 'limit' }, true, ['X-RateLimit-Reset moves, as in a sliding window']],
])('Retry-After beyond Reset, with %j (Reset moves: %s)', (trace, movesReset, expected) => {
  const { told, remarks } = remarksTo()
  judgeRefusal(answerAt(0, rate, trace), movesReset, remarks)
  expect(told).toEqual(expected)
})

test.each<[what: string, apartMs: number, isFault: boolean]>([
  ['as slowly as a bucket of this limit fills', 3_000, false],
  ['faster than a bucket of this limit fills', 300, true],
])('requests that come back %s', (_what, apartMs, isFault) => {
  const { told, remarks } = remarksTo()
  const judge = createWindowJudge(remarks)
  for (let call = 0; call < 12; call += 1) judge.add(answerAt(call * apartMs, { ...rate, remaining: 55 }))
  expect(told.includes('limit-counts-down')).toBe(isFault)
})
