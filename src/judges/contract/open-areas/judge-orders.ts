import type { JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { findBreaches } from '../prism/prism.ts'
import type { Described } from './described-operation.ts'

/** How the orders of the fixtures break the contract for the list of orders. */
export async function judgeOrders(
  operations: readonly Described[],
  orders: readonly JsonValue[],
): Promise<readonly string[]> {
  const list = operations.find(({ fullPath, method }) => fullPath === '/v1/store/orders' && method === 'GET')
  if (list === undefined) return []
  const found = await findBreaches([list.operation], {
    method: 'GET',
    target: list.path,
    requestHeaders: {},
    requestBody: undefined,
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: writeJson(orders),
  })
  return (found?.breaches ?? [])
    .filter(({ side, part }) => side === 'response' && part === 'body')
    .map(({ message }) => `GET ${list.fullPath}: the orders of the fixtures do not match: ${message}`)
}
