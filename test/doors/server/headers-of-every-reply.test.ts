import { expect, test } from 'vitest'
import { failureReply } from '../../../src/doors/proxy/upstream.ts'
import { replyWithoutCall } from '../../../src/doors/server/refusals.ts'
import { addCommonHeaders } from '../../../src/emulator/replies/finish-reply.ts'
import { openAdminServer } from '../../support/admin-server.ts'

const reason = { code: 'bad_request', message: 'Not a request.' } as const
const common = Object.entries(addCommonHeaders({}))
const names = ['Content-Type', 'Content-Length', 'Date', ...common.map(([name]) => name)]

function expectAll(headers: Headers | Readonly<Record<string, string>>) {
  const sent = new Headers(headers)
  expect(names.filter(name => !sent.has(name))).toEqual([])
  for (const [name, value] of common) expect(sent.get(name)).toBe(value)
}

test.each([
  ['an answer of the API', '/v1/pets'],
  ['a refusal of the API', '/v1/nothing'],
  ['an answer of the admin plane', '/__admin/health'],
  ['a refusal of the admin plane', '/__admin/nothing'],
])('%s has them', async (_, target) => {
  const { call } = await openAdminServer()
  expectAll((await call(target)).headers)
})

test("the door's own refusal has them", () => {
  expectAll(replyWithoutCall(reason).headers)
})

test("the proxy's 502 has them", () => {
  expectAll(failureReply({ code: 'upstream_failed', message: 'Nobody listens.' }).headers)
})
