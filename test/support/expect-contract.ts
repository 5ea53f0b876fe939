import { expect } from 'vitest'
import { belowBase } from '../../src/judges/exchanges/texts.ts'
import { loadContract } from '../../src/library/files/load-contract.ts'
import { complete, type TestReply, type TestRequest } from './doors/request.ts'

const loaded = await loadContract(undefined)

/** Fails a test when a reply of the API's does not keep the contract. */
export async function expectContract(request: TestRequest | undefined, reply: TestReply): Promise<void> {
  if (!loaded.ok) throw new Error(loaded.complaints.join('\n'))
  const { method, target, headers, body } = complete(request)
  const relative = belowBase(target, '/v1')
  if (relative === undefined || method === 'HEAD' || method === 'OPTIONS') return
  const { breaches } = await loaded.value.judge({
    method,
    target: relative,
    requestHeaders: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    requestBody: body && new TextDecoder().decode(body),
    status: reply.status,
    headers: reply.headers,
    body: reply.text,
  })
  const ofReply = breaches.filter(({ side }) => side === 'response').map(({ message }) => message)
  expect(ofReply, `${method} ${target} breaks the contract`).toEqual([])
}
