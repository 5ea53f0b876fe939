import { afterAll, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { type ContractResponse, createValidator, loadOperations } from '../../support/contract.ts'
import { describeDoors, type TestReply, type TestRequest } from '../../support/doors.ts'
import { limitHeaders } from '../../support/expectations.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const operations = await loadOperations()
const validate = createValidator()

const keys = {
  exhausted: { plan: 'free', used: { minute: 60 } },
  banned: { plan: 'free', banned: '90s' },
  'demo-free': { plan: 'free' },
} satisfies ScenarioFile['keys']
const rex = { name: 'Rex', categoryId: 9007199254740991 }

/** Each operation's id with requests that reach every status it documents. */
const requests: Record<string, TestRequest[]> = {
  listPets: [
    {},
    { target: '/v1/pets?limit=100' },
    { target: '/v1/pets?status=sold' },
    { target: '/v1/pets?limit=0' },
  ],
  createPet: [
    { method: 'POST', body: rex },
    { method: 'POST', body: { ...rex, status: 'sold' } },
    { method: 'POST', body: {} },
    { method: 'POST' },
  ],
  getPet: [{ target: '/v1/pets/1' }, { target: '/v1/pets/999' }],
  listOrders: [{ target: '/v1/store/orders' }],
}
const refused = [{ key: null }, { key: 'unknown' }, { key: 'exhausted' }, { key: 'banned' }] as const
const failing: TestRequest = { headers: [['Prefer', 'code=503']] }

/** Headers that the transport or CORS adds to any reply; every other one must be documented where it is sent. */
const anywhere = new Set([
  ...limitHeaders,
  ...'connection content-length content-type date keep-alive vary x-content-type-options'.split(' '),
  ...['x-pet-mock', 'preference-applied'],
])

const seen = new Set<string>()

function judge(operationId: string, reply: TestReply): string[] {
  const operation = operations.find(candidate => candidate.operationId === operationId)
  const status = operation?.responses[reply.status] === undefined ? 'default' : reply.status
  const documented = operation?.responses[status]
  if (documented === undefined || (status === 'default' && reply.status < 400))
    return [`${reply.status} is not documented`]
  seen.add(`${operationId} ${status}`)
  const complaints = judgeBody(documented, reply.text)
  const known = Object.entries(documented.headers).map(
    ([name, header]) => [name.toLowerCase(), header] as const,
  )
  for (const [name, { schema }] of known) {
    const text = reply.headers[name]
    if (text === undefined) continue
    const value = /^\d+$/.test(text) ? Number(text) : text
    const problem = validate(schema, value)
    if (problem !== '') complaints.push(`${name}: ${problem}`)
  }
  for (const name of limitHeaders)
    if (reply.headers[name] === undefined) complaints.push(`${name} is missing`)
  for (const name of Object.keys(reply.headers)) {
    if (!anywhere.has(name) && !known.some(([documentedName]) => documentedName === name)) {
      complaints.push(`${name} is not documented`)
    }
  }
  return complaints
}

function judgeBody({ content }: ContractResponse, text: string): string[] {
  if (content === undefined) return text === '' ? [] : ['a body is not documented']
  const body = validate(content['application/json'].schema, JSON.parse(text))
  return body === '' ? [] : [`body: ${body}`]
}

describeDoors('every reply keeps the contract', open => {
  for (const [operationId, own] of Object.entries(requests)) {
    const all = [...own, ...refused.map(key => ({ ...own[0], ...key })), { ...own[0], ...failing }]
    test.each(all.map(request => [JSON.stringify(request), request] as const))(
      `${operationId} %s`,
      async (_, request) => {
        const deprecation = { since: '2026-01-01T00:00:00Z' }
        const { send } = await open({ scenario: scenarioOf({ keys, deprecation }) })
        expect(judge(operationId, await send(request))).toEqual([])
      },
    )
  }
})

afterAll(() => {
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map(status => `${operationId} ${status}`),
  )
  expect([...seen].sort()).toEqual(documented.sort())
})
