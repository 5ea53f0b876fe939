import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type Answer, reply } from '../call/answer.ts'

/** GET /store/orders: a plain array. The specification names the operation, and shows no payload. */
export function listOrders(orders: readonly JsonValue[]): Answer {
  return reply(200, writeJson(orders))
}
