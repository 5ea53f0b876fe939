import { expect, test } from 'vitest'
import { reportOf } from '../../../src/judges/conformance/check-service.ts'
import type { CheckOptions } from '../../../src/judges/conformance/sender.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { type Between, checkEmulator } from '../../support/check-emulator.ts'

const bodyOf = ({ body }: Call) => (body instanceof Uint8Array ? new TextDecoder().decode(body) : '')
const keyOf = ({ headers }: Call) => headers[headers.indexOf('Authorization') + 1] ?? ''

/** The requests of a run: method, target, body, and the key if it is not the usual one. */
async function requestsOf(options: Partial<CheckOptions> = {}): Promise<readonly string[]> {
  const requests: string[] = []
  const call = (sent: Call): Call => {
    const hasKey = sent.headers.includes('Authorization')
    const key = hasKey ? keyOf(sent).replace(/^Bearer demo-free$/, '') : 'no key'
    requests.push(
      [sent.method, sent.target.replace('/v1', ''), bodyOf(sent), key && `(${key})`]
        .filter(Boolean)
        .join(' '),
    )
    return sent
  }
  await checkEmulator({ call }, options)
  return requests
}

const longName = '0042'.repeat(75)

test('the requests of a run: first what matters most, with refused keys in between', async () => {
  expect(await requestsOf()).toEqual([
    'GET /pets?limit=100',
    'GET /pets (no key)',
    'GET /pets',
    'GET /pets/1 (no key)',
    'GET /pets?limit=99',
    'POST /pets {"name":"Rex","categoryId":1} (no key)',
    'GET /pets?limit=100&status=available',
    'GET /pets?limit=1 (no key)',
    'GET /pets?limit=100&status=pending',
    'GET /pets (Bearer demo-freex)',
    'GET /pets?limit=100&status=sold',
    'GET /pets (Bearer pet-mock-check-invalid-key)',
    'GET /pets?limit=34',
    'GET /pets (Basic cGV0OnBldA==)',
    'GET /pets?limit=34&cursor=YWZ0ZXI6MzQ',
    'GET /pets?limit=1 (bearer demo-free)',
    'GET /pets?limit=34&cursor=YWZ0ZXI6Njg',
    'GET /pets/1',
    'GET /pets/100',
    'GET /pets/21',
    'GET /pets/4',
    'GET /pets/1000103',
    'GET /pets/9223372036854775783',
    'POST /pets {"name":"Rex","categoryId":1,"status":"pending"}',
    'POST /pets {"name":"Luna","categoryId":1}',
    'POST /pets {"name":"Milo","categoryId":9007199254740993,"status":"sold"}',
    'GET /pets/101',
    'GET /pets/103',
    'GET /pets?limit=100',
    'GET /pets?limit=100&status=pending',
    'POST /pets {"categoryId":1}',
    'POST /pets {"name":"Refused By Rights"}',
    'POST /pets {"name":"Refused By Rights","categoryId":1,"status":"lost"}',
    'POST /pets {"name":"Refused By Rights","categoryId":"1"}',
    'POST /pets {"name":7,"categoryId":1}',
    'POST /pets {"name":"Refused By Rights","categoryId":1.5}',
    'POST /pets {"name":null,"categoryId":1}',
    'POST /pets {"name":"Refused By Rights","categoryId":null}',
    'GET /pets?limit=100',
    'GET /pets?limit=100&cursor=YWZ0ZXI6MTAw',
    'GET /pets?limit=22&status=available',
    'GET /pets?limit=22&status=available&cursor=YWZ0ZXI6Mzc',
    'GET /pets?limit=22&status=available&cursor=YWZ0ZXI6NjU',
    'POST /pets {"name":" Zoë  \\"O\'Hara\\"\\n<b>&amp; 犬 🐕‍🦺 ","categoryId":1,"status":"available"}',
    'GET /pets/104',
    `POST /pets {"name":"${longName}","categoryId":1}`,
    `POST /pets {"name":"${longName}","categoryId":1}`,
    'GET /pets?limit=101',
    'GET /pets?limit=101 (no key)',
    'GET /pets?status=lost',
    'GET /pets/none',
    'GET /pets?cursor=none',
    'GET /store/orders',
    'GET /store/orders (no key)',
    'POST /pets {"name":',
    'POST /pets {"name":"Ottilie","categoryId":1}',
    'POST /pets {"name":"Ottilie","categoryId":1,"status":null}',
    'PATCH /pets',
    'HEAD /pets?limit=1',
    'GET /pet-mock-check',
  ])
})

const usualBase = 'http://127.0.0.1:4010/v1'

async function reportedOf(
  between: Between,
  options: Partial<CheckOptions>,
  { isStrict = false, base = usualBase } = {},
) {
  const { outcome } = await checkEmulator(between, options)
  const mask = (text: string) => text.replaceAll('demo-free', 'KEY')
  return reportOf(outcome, { base, plan: 'free', seed: 7, isStrict, mask })
}

test('a report says what was checked, what was not, and why', async () => {
  const { title, facts, notes, checks, findings, judge } = await reportedOf({}, {})
  expect([judge, title, findings]).toEqual(['check', 'Check of http://127.0.0.1:4010/v1', []])
  expect(checks).toHaveLength(76)
  expect(checks[0]).toEqual({
    id: 'auth-missing',
    title: 'a request without a key must get 401 (specification, “Authentication”)',
    result: 'passed',
  })
  expect(facts).toEqual([
    { name: 'Judged', value: '60 calls (plan free, seed 7)' },
    { name: 'Checks', value: '74 of 90 made, 74 passed' },
    { name: 'Responses', value: '11 of 15 documented ones seen' },
  ])
  expect(notes).toEqual([
    'Documented responses that were not seen: listPets 429, createPet 429, getPet 429, listOrders 429.',
    'Left out: 429: to test it, add --exhaust (uses up the quota).',
    'Not made (limit-resets, limit-enforced, limit-not-early, limit-refused-window, retry-works, retry-too-long, limit-every-operation): --exhaust uses up the quota to check it.',
    'Not made (retry-missing, limit-announced, limit-remaining-zero, retry-not-stored): no 429 came; --exhaust causes one.',
    'Not made (retry-past, retry-format, retry-ahead): no 429 had Retry-After.',
    'Not made (limit-whole): no response showed it.',
    'Not made (retry-agrees): no 429 had both headers.',
  ])
})

test('with --exhaust, a report has no open check', async () => {
  const { facts, notes } = await reportedOf({}, { exhausts: true })
  expect(facts.slice(1)).toEqual([
    { name: 'Checks', value: '90 of 90 made, 90 passed' },
    { name: 'Responses', value: '15 of 15 documented ones seen' },
  ])
  expect(notes).toEqual([])
})

test('without --allow-writes, a report says which checks that leaves open', async () => {
  const { notes } = await reportedOf({}, { allowsWrites: false, exhausts: true })
  expect(notes).toEqual([
    'Documented responses that were not seen: createPet 201, createPet 400, createPet 401, createPet 429.',
    'Left out: createPet: to test it, add --allow-writes (the new animals cannot be deleted).',
    expect.stringMatching(
      /^Not made \(create-answers, .*\): nobody can delete new animals; --allow-writes creates some\.$/,
    ),
    'Not made (create-location-own): no 201 had a Location with an id.',
  ])
})

const faulty: Between = {
  reply: (reply, { target }) => ({
    ...reply,
    ...(reply.status === 400 && target.includes('limit=101') && { status: 200, body: '[]' }),
    ...(target === '/v1/pets/1' &&
      reply.status === 200 && { body: '{"id":1,"name":"demo-free","categoryId":1}' }),
  }),
}

test('a finding has its request as a command, its origin, and whether it is only assumed', async () => {
  const { findings, facts } = await reportedOf(faulty, {})
  expect(facts[1]).toEqual({ name: 'Checks', value: '72 of 90 made, 70 passed' })
  expect(findings).toEqual([
    {
      id: 'get-same',
      severity: 'error',
      title: 'Broken: getPet must return the animal of its path, with the fields of the list.',
      remedy: 'Required by: specification, “Endpoints”.',
      source: 'specification, “Endpoints”',
      count: 1,
      evidence: [
        {
          what: 'GET /v1/pets/1 → 200',
          detail: expect.stringMatching(/^name is “KEY”, not “[A-Z]\w+”/),
          curl: `curl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:4010/v1/pets/1'`,
        },
      ],
    },
    {
      id: 'list-limit-refused',
      severity: 'info',
      title: 'Broken: a `limit` out of range must get 400.',
      remedy:
        'The service may differ here: the specification does not say this (assumption A12 of pet-mock, docs/assumptions.md).',
      source: 'assumption A12',
      count: 1,
      evidence: [
        {
          what: 'GET /v1/pets?limit=101 → 200',
          detail: 'the status is 200, not 400',
          curl: `curl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:4010/v1/pets?limit=101'`,
        },
      ],
    },
  ])
  const strict = await reportedOf(faulty, {}, { isStrict: true })
  expect(strict.findings.map(({ id, severity }) => [id, severity])).toEqual([
    ['get-same', 'error'],
    ['list-limit-refused', 'error'],
  ])
})

test.each<[base: string, what: string]>([
  [usualBase, 'GET /v1/pets/1 → 200'],
  ['http://127.0.0.1:4010', 'GET /pets/1 → 200'],
])('the request of a finding has the path of the base %s', async (base, what) => {
  const { findings } = await reportedOf(faulty, {}, { base })
  expect(findings[0]?.evidence[0]).toMatchObject({ what, curl: expect.stringContaining(`'${base}/pets/1'`) })
})
