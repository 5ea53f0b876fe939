import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestReply } from '../../support/doors.ts'
import { expectProblem, readLimits } from '../../support/expectations.ts'
import { requestText, type TestServer, serverTest as test } from '../../support/raw-http.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** As many sockets as calls, all connected before the first call goes out. */
async function callInParallel(server: TestServer, calls: number): Promise<TestReply[]> {
  const clients = await Promise.all(Array.from({ length: calls }, server.connect))
  for (const client of clients) client.send(requestText('GET /v1/pets?limit=1'))
  const replies = await Promise.all(clients.map(client => client.reply()))
  for (const { socket } of clients) socket.destroy()
  return replies
}

/** Exactly `left` were accepted, and each was told another number of calls that remain. */
function expectExactly(left: number, replies: readonly TestReply[]): void {
  const accepted = replies.filter(({ status }) => status === 200)
  const told = accepted.map(reply => readLimits(reply).remaining)
  const count = Math.min(left, replies.length)
  expect(told.sort((a, b) => b - a)).toEqual(Array.from({ length: count }, (_, call) => left - 1 - call))
  const refused = replies.filter(reply => !accepted.includes(reply))
  for (const reply of refused) expect([reply.status, readLimits(reply).remaining]).toEqual([429, 0])
}

test('of 200 parallel calls on 60 left exactly 60 are accepted; the tenth refused one brings the ban', async ({
  open,
}) => {
  const replies = await callInParallel(await open(), 200)
  expectExactly(60, replies)
  const codes = replies.filter(({ status }) => status === 429).map(({ text }) => JSON.parse(text).code)
  expect(codes.filter(code => code === 'rate_limit_exceeded').length).toBe(9)
  expect(codes.filter(code => code === 'api_key_banned').length).toBe(131)
})

test('of N parallel calls on L left exactly min(N, L) are accepted', async ({ open }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 1, max: 30 }),
      async (left, calls) => {
        const keys = { 'demo-free': { plan: 'free', used: { minute: 60 - left } } }
        const server = await open({ scenario: scenarioOf({ keys }) })
        expectExactly(left, await callInParallel(server, calls))
        await server.door.close(0)
      },
    ),
    { numRuns: 40 },
  )
})

test('parallel creations get ids without a gap, each once', async ({ open }) => {
  const server = await open()
  const clients = await Promise.all(Array.from({ length: 50 }, server.connect))
  const half = requestText('POST /v1/pets', {
    lines: ['Content-Type: application/json', 'Content-Length: 31'],
  })
  for (const client of clients) client.send(`${half}{"name":"Rex",`)
  for (const client of clients) client.send('"categoryId": 10}')
  const replies = await Promise.all(clients.map(client => client.reply()))
  const ids = replies.map(({ text }) => JSON.parse(text).id)
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => 101 + index))
  expectProblem(await server.ask(requestText('GET /v1/pets/151')), 404, 'pet_not_found')
})
