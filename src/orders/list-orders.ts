import { type Answer, reply } from '../call/answer.ts'
import type { JsonValue } from '../json/value.ts'
import { writeJson } from '../json/write.ts'

/** GET /store/orders: an open area, since the specification names it and shows no payload. A plain array. */
export function listOrders(orders: readonly JsonValue[]): Answer {
  return reply(200, writeJson(orders))
}
