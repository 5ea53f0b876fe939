import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDuration } from '../../src/base/time/duration.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import { type ConductId, conductChecks, conductIds } from '../../src/judges/conduct/checks.ts'
import { expectedCheck } from '../../src/judges/conduct/expected.ts'
import { checkIds, proxyIds } from '../../src/judges/conformance/checks.ts'
import { contractIds } from '../../src/judges/contract/contract-report.ts'
import { reasonIds } from '../../src/judges/rehearsal/reason.ts'
import { withFindings } from '../../tools/build/docs-tables.ts'
import { fly, type Pilot } from '../support/flights.ts'

const page = readFileSync('docs/findings.md', 'utf8')
const conduct = readFileSync('docs/conduct.md', 'utf8')

test('the page is up to date', () => {
  expect(page).toBe(withFindings(page))
})

const ids = new Set([...reasonIds, ...contractIds, ...checkIds, ...proxyIds, expectedCheck.id])

test.each([...ids, 'nothing-met', 'breaks', 'flaky'])('docs/findings.md has %s once', id => {
  expect(page.match(new RegExp(`^- \\*{0,2}\`${id}\``, 'gm'))).toHaveLength(1)
})

test('docs/conduct.md has the threshold of each finding', () => {
  const [, list = ''] = conduct.split('## Thresholds')
  const rows = list.split('\n## ')[0]?.match(/^- (?:`[a-z-]+`(?:, )?)+: /gm) ?? []
  const named = rows.flatMap(row => [...row.matchAll(/[a-z-]{3,}/g)].map(([id]) => id))
  expect(named.toSorted()).toEqual([...conductIds].toSorted())
})

const line =
  /^(?<call>\S+ \S+)(?: (?<body>\{.*\}))?(?: ×(?<times>\d+))?(?:, (?<apart>\d+ s) apart)?(?<bare> without a key)? → (?<statuses>[\d ]+(?:×\d+)?)$/

/** Does what a line says, and compares what was answered. */
function act({ call, wait, repeat }: Pilot, text: string): void {
  const [, pause] = /^(\d+ s) later$/.exec(text) ?? []
  if (pause !== undefined) {
    wait(lengthOf(pause))
    return
  }
  const groups = line.exec(text)?.groups
  if (groups === undefined) throw new Error(`Not a line of a flight: ${text}`)
  const { call: what = '', body, times = '1', apart = '0 s', bare, statuses = '' } = groups
  const answered: number[] = []
  const headers = body === undefined ? [] : ['Content-Type', 'application/json']
  const made = () => answered.push(call(what, { headers, ...(body && { body }), ...(bare && { key: null }) }))
  repeat(Number(times), made, lengthOf(apart) || 1)
  const [, status, count = '1'] = /^(\d+) ×(\d+)$/.exec(statuses) ?? []
  expect(answered.join(' ')).toBe(
    status === undefined ? statuses : Array(Number(count)).fill(status).join(' '),
  )
}

function lengthOf(text: string): number {
  return parseDuration(text.replace(' ', '')) ?? Number.NaN
}

test.each(conductIds)('the flight of %s shows it', id => {
  const [scenario, ...lines] = flights[id]
  const { findings } = fly(shippedScenarios.get(scenario) ?? {}, pilot => {
    for (const text of lines) act(pilot, text)
  })
  expect(shippedScenarios.has(scenario)).toBe(true)
  expect(findings.map(({ id }) => id)).toContain(id)
  const found = findings.find(finding => finding.id === id)
  expect(found?.severity).toBe(conductChecks[id].severity)
  const [title, call, detail] = shown[id]
  expect(found).toMatchObject({ title, remedy: conductChecks[id].remedy, source: conductChecks[id].source })
  expect(found?.evidence[0]).toMatchObject({ what: call, detail })
})

/** The scenario of each flight, and what the client does in it. */
const flights: Readonly<Record<ConductId, readonly [scenario: string, ...lines: string[]]>> = {
  'early-retry': [
    'rate-limit-exhaustion',
    'GET /v1/pets ×4 → 200 200 200 429',
    '1 s later',
    'GET /v1/pets → 429',
  ],
  'call-during-ban': ['ban', 'GET /v1/pets → 429', '60 s later', 'GET /v1/pets → 429'],
  banned: [
    'rate-limit-exhaustion',
    'GET /v1/pets ×3 → 200 200 200',
    'GET /v1/pets ×10 → 429 429 429 429 429 429 429 429 429 429',
  ],
  'removed-operation': ['after-removal', 'GET /v1/pets/1 → 404'],
  'no-backoff': ['outage', 'GET /v1/pets ×5, 1 s apart → 503 503 503 503 503'],
  'called-while-limited': [
    'rate-limit-exhaustion',
    'GET /v1/pets ×4 → 200 200 200 429',
    '1 s later',
    'GET /v1/pets?status=sold → 429',
  ],
  'deprecated-operation': ['free-plan', 'GET /v1/pets/1 → 200'],
  'invalid-request-repeated': ['free-plan', 'GET /v1/pets?limit=500 ×3 → 400 400 400'],
  'duplicate-create': ['lost-reply', 'POST /v1/pets {"name":"Rex","categoryId":1} ×2 → 201 201'],
  'unknown-parameter': ['free-plan', 'GET /v1/pets?page=2 → 200'],
  'missing-key': ['free-plan', 'GET /v1/pets without a key → 401'],
  'key-in-query': ['free-plan', 'GET /v1/pets?api_key=demo-free without a key → 401'],
  'polling-too-fast': [
    'free-plan',
    'GET /v1/pets ×11, 5 s apart → 200 200 200 200 200 200 200 200 200 200 200',
  ],
  'page-asked-again': ['free-plan', 'GET /v1/pets → 200', 'GET /v1/pets?cursor=YWZ0ZXI6MjA ×2 → 200 200'],
  'unknown-field': ['free-plan', 'POST /v1/pets {"name":"Rex","categoryId":1,"colour":"brown"} → 201'],
  'quota-peak': ['free-plan', 'GET /v1/pets ×48 → 200 ×48'],
}

/** What a report says of each flight: the finding, its first call, and what is wrong with it. */
const shown: Readonly<Record<ConductId, readonly [title: string, call: string, detail: string]>> = {
  'early-retry': [
    '1 refused call was retried before Retry-After was over, up to 58.7 s early.',
    'GET /v1/pets → 429',
    '58.7 s before Retry-After was over',
  ],
  'call-during-ban': [
    '1 call used a key that the client knew was banned.',
    'GET /v1/pets → 429',
    '239.8 s before the ban was over',
  ],
  banned: [
    '1 ban was imposed for calling while rate limited.',
    'GET /v1/pets → 429',
    'refused call number 10',
  ],
  'removed-operation': [
    '1 call used an operation that was removed.',
    'GET /v1/pets/1 → 404',
    'once, from an unnamed client',
  ],
  'no-backoff': [
    '1 failed call was retried at a steady pace.',
    'GET /v1/pets → 503',
    'the waits were 1 s, 1 s, 1 s, 1 s',
  ],
  'called-while-limited': [
    '1 other call was made with a key before its Retry-After was over.',
    'GET /v1/pets?status=sold → 429',
    '58.7 s before Retry-After was over',
  ],
  'deprecated-operation': [
    '1 call used a deprecated operation.',
    'GET /v1/pets/1 → 200',
    'once, from an unnamed client; removal on 2030-12-05',
  ],
  'invalid-request-repeated': [
    '1 invalid call was repeated unchanged.',
    'GET /v1/pets?limit=500 → 400',
    'invalid_parameter, repeated once',
  ],
  'duplicate-create': [
    '1 pet was created again after a response that never came.',
    'POST /v1/pets → 201',
    'request 1 created the same pet, and its response was lost',
  ],
  'unknown-parameter': ['1 unknown query parameter was sent.', 'GET /v1/pets?page=2 → 200', '"page", once'],
  'missing-key': ['1 call had no API key.', 'GET /v1/pets → 401', 'once, from an unnamed client'],
  'key-in-query': [
    '1 call had an API key in the query.',
    'GET /v1/pets?api_key=demo-f… → 401',
    'a key in the query',
  ],
  'polling-too-fast': [
    '1 call polled faster than the plan allows.',
    'GET /v1/pets → 200',
    'about every 5 s: 17280 calls a day, but the plan free allows 1000',
  ],
  'page-asked-again': [
    '1 call requested pets that the client already had.',
    'GET /v1/pets?cursor=YWZ0ZXI6MjA → 200',
    'the client already had this page',
  ],
  'unknown-field': ['1 unknown field was sent.', 'POST /v1/pets → 201', '"colour", once'],
  'quota-peak': [
    '1 key needed 80 % of a window or more.',
    'demo-f… on the plan free',
    'at peak 48 of 60 in a minute and 48 of 1,000 in a day; the plan free is large enough',
  ],
}

test.each<[id: ConductId, title: string]>([
  ['early-retry', '2 refused calls were retried before Retry-After was over, up to 999 ms early.'],
  ['call-during-ban', '2 calls used a key that the client knew was banned.'],
  ['banned', '2 bans were imposed for calling while rate limited.'],
  ['removed-operation', '2 calls used an operation that was removed.'],
  ['no-backoff', '2 failed calls were retried at a steady pace.'],
  ['called-while-limited', '2 other calls were made with a key before its Retry-After was over.'],
  ['deprecated-operation', '2 calls used a deprecated operation.'],
  ['invalid-request-repeated', '2 invalid calls were repeated unchanged.'],
  ['duplicate-create', '2 pets were created again after a response that never came.'],
  ['unknown-parameter', '2 unknown query parameters were sent.'],
  ['missing-key', '2 calls had no API key.'],
  ['key-in-query', '2 calls had an API key in the query.'],
  ['polling-too-fast', '2 calls polled faster than the plan allows.'],
  ['page-asked-again', '2 calls requested pets that the client already had.'],
  ['unknown-field', '2 unknown fields were sent.'],
  ['quota-peak', '2 keys needed 80 % of a window or more.'],
])('several times %s is one finding', (id, title) => {
  expect(conductChecks[id].title(2, 999)).toBe(title)
})

/** The list of checks in each report. */
test.each<[id: ConductId, requirement: string]>([
  ['early-retry', 'refused calls are not retried before Retry-After is over'],
  ['call-during-ban', 'a banned key is not used until the ban is over'],
  ['banned', 'no key is banned'],
  ['removed-operation', 'no removed operation is called'],
  ['no-backoff', 'retries back off'],
  ['called-while-limited', 'no other calls are made while a key is rate limited'],
  ['deprecated-operation', 'no deprecated operation is called'],
  ['invalid-request-repeated', 'invalid calls are not repeated unchanged'],
  ['duplicate-create', 'no pet is created again because its response was lost'],
  ['unknown-parameter', 'only known query parameters are sent'],
  ['missing-key', 'every call has an API key'],
  ['key-in-query', 'no API key is in a query'],
  ['polling-too-fast', 'polling is slow enough for the plan'],
  ['page-asked-again', 'each page of a list is requested once'],
  ['unknown-field', 'bodies have only known fields'],
  ['quota-peak', 'the plan has room'],
])('%s: %s', (id, requirement) => {
  expect(fly({}, () => {}).checks).toContainEqual({ id, title: requirement, result: 'unjudged' })
})
