import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type Answer, reply } from '../call/answer.ts'

/** GET /store/orders: an open area, since the specification names it and shows no payload. A plain array. */
export function listOrders(orders: readonly JsonValue[]): Answer {
  return reply(200, writeJson(orders))
}
