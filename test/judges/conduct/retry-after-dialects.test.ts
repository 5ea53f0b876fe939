import { describe, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { hostileForms, legalForms, type RetryAfterForm } from '../../../src/service/limits/retry-after.ts'
import { fly, idsOf, type Pilot } from '../../support/flights.ts'

const usedUp = { keys: { 'demo-free': { plan: 'free', used: { minute: 60, day: 60 } } } } as const
const with429 = (retryAfter: string): ScenarioFile => ({
  rules: [{ then: { status: 429, headers: { 'Retry-After': retryAfter } } }],
})

function findingsOf(scenario: ScenarioFile, flight: (pilot: Pilot) => void) {
  const report = fly(scenario, flight)
  const found = report.findings.filter(({ id }) => id !== 'quota-peak')
  return {
    ids: idsOf({ findings: found }),
    details: found.flatMap(({ evidence }) => evidence.map(({ detail }) => detail)),
  }
}

const inForm = (form: RetryAfterForm): ScenarioFile => ({ ...usedUp, limits: { retryAfter: form } })

describe.each(legalForms)('Retry-After as %s', form => {
  test('a client that waits has no finding', () => {
    const { ids } = findingsOf(inForm(form), ({ call, wait }) => [call(), wait(59_750), call()])
    expect(ids).toEqual([])
  })

  test('a client that does not wait has', () => {
    const { ids } = findingsOf(inForm(form), ({ call, wait }) => [call(), wait(1_000), call()])
    expect(ids).toEqual(['early-retry'])
  })

  test('a client that makes other calls has', () => {
    const flight = ({ call, wait }: Pilot) => [call(), wait(1_000), call('GET /v1/pets?limit=5')]
    expect(findingsOf(inForm(form), flight).ids).toEqual(['called-while-limited'])
  })

  test('a loop leads to a ban', () => {
    const { ids } = findingsOf(inForm(form), ({ repeat }) => repeat(12))
    expect(ids).toEqual(['banned', 'call-during-ban ×2', 'early-retry ×9', 'no-backoff ×8'])
  })
})

describe.each(hostileForms)('Retry-After as %s', form => {
  test('a client that calls again at once is not to blame', () => {
    const { ids } = findingsOf(inForm(form), ({ call, wait }) => [call(), wait(1_000), call(), call()])
    expect(ids).toEqual([])
  })

  test('not even for a ban, but a loop has no backoff', () => {
    const { ids } = findingsOf(inForm(form), ({ repeat }) => repeat(14))
    expect(ids).toEqual(form === 'zero' ? [] : ['no-backoff ×10'])
  })
})

test.each<[RetryAfterForm, string]>([
  ['seconds', '58 s before Retry-After was over'],
  [
    'http-date',
    '58 s before Retry-After was over; Retry-After was an IMF-fixdate: Mon, 02 Mar 2026 12:01:00 GMT',
  ],
  [
    'rfc850-date',
    '58 s before Retry-After was over; Retry-After was an RFC 850 date, which is obsolete but valid: Monday, 02-Mar-26 12:01:00 GMT',
  ],
  [
    'asctime-date',
    '58 s before Retry-After was over; Retry-After was an asctime date, which is obsolete but valid, and UTC: Mon Mar  2 12:01:00 2026',
  ],
])('a finding names the form that broke the client: %s', (form, detail) => {
  const { details } = findingsOf(inForm(form), ({ call, wait }) => [call(), wait(1_750), call()])
  expect(details).toEqual([detail])
})

test.each<[RetryAfterForm, string]>([
  ['absent', 'missing'],
  ['negative', 'neither whole seconds nor a date of HTTP: -59'],
  ['decimal', 'neither whole seconds nor a date of HTTP: 59.5'],
  ['huge', 'a number of 11 digits'],
  ['iso-date', 'neither whole seconds nor a date of HTTP: 2026-03-02T12:01:00Z'],
  ['garbage', 'neither whole seconds nor a date of HTTP: soon'],
  ['twice', 'neither whole seconds nor a date of HTTP: 59, 59'],
])('a loop without backoff names it, too: %s', (form, what) => {
  const { details } = findingsOf(inForm(form), ({ repeat, call }) => repeat(5, call, 250))
  expect(details).toEqual([`the waits were 250 ms, 250 ms, 250 ms, 250 ms; Retry-After was ${what}`])
})

test('each finding names the form that the client had last', () => {
  const scenario = { ...usedUp, limits: { retryAfter: ['seconds', 'http-date', 'asctime-date'] } } as const
  const { details } = findingsOf(scenario, ({ repeat, call }) => repeat(4, call, 5_000))
  expect(details.map(text => /; Retry-After was an? (\w+)/.exec(text)?.[1])).toEqual([
    undefined,
    'IMF',
    'asctime',
  ])
})

test('a ban names the form of the refusal before it', () => {
  const { details } = findingsOf(inForm('http-date'), ({ repeat }) => repeat(10))
  expect(details).toContainEqual(
    'refused call number 10; Retry-After was an IMF-fixdate: Mon, 02 Mar 2026 12:01:00 GMT',
  )
})

test.each([
  ['5', ['early-retry']],
  ['soon', []],
  ['-5', []],
  ['2.5', []],
  ['2026-03-02T12:01:00Z', []],
  ['99999999999', []],
  ['0', []],
  ['5, 5', []],
  ['Mon, 02 Mar 2026 12:01:00 GMT', ['early-retry']],
  ['Monday, 02-Mar-26 12:01:00 GMT', ['early-retry']],
  ['Mon Mar  2 12:01:00 2026', ['early-retry']],
  ['Mon, 02 Mar 2026 11:00:00 GMT', []],
])('a rule’s 429 with Retry-After: %s, retried after a second', (text, expected) => {
  const { ids } = findingsOf(with429(text), ({ call, wait }) => [call(), wait(1_000), call()])
  expect(ids).toEqual(expected)
})
