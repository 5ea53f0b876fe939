import type { JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import type { Described } from '../description/described-operation.ts'
import { findBreaches } from '../prism/prism.ts'

/** How the emulator's orders, which are those of the fixtures, break what a contract says of their list. */
export async function judgeOrders(
  operations: readonly Described[],
  orders: readonly JsonValue[],
): Promise<readonly string[]> {
  const list = operations.find(({ shown, method }) => shown === '/v1/store/orders' && method === 'GET')
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
    .map(({ message }) => `${list.method} ${list.shown}: the orders of the fixtures do not fit: ${message}`)
}
