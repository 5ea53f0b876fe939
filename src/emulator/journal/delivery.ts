import { planBody } from '../../service/call/break-body.ts'
import type { Connection } from '../../service/call/call.ts'
import { faultName, faultTraits } from '../../service/call/fault.ts'
import type { Exchange } from './exchange.ts'

/** When and where a client got a reply. */
export interface Delivery {
  readonly connection: Connection | undefined
  /** When the whole reply was sent, in the door's time. Infinity: it never was. */
  readonly at: number
}

/** A reply may be sent late, slowly, in part or not at all. Many clients see nothing of a reply that is not whole. */
export function deliveryOf({ call, reply, answeredAt }: Exchange): Delivery {
  const { connection, receivedAt } = call
  const { delayMs = 0, fault, body } = reply
  const sentAt = answeredAt ?? receivedAt + delayMs
  if (fault === undefined) return { connection, at: sentAt }
  if (faultTraits[faultName(fault)].arrives !== 'whole') return { connection, at: Number.POSITIVE_INFINITY }
  const { bytes, piece, pauseMs } = planBody(fault, body?.length ?? 0)
  const pauses = Math.max(0, Math.ceil(bytes / Math.max(1, piece)) - 1)
  return { connection, at: sentAt + pauses * pauseMs }
}

/** Whether a client had a reply at an instant. One that closes its connection before has given up. */
export function hasArrived({ connection, at }: Delivery, instant: number): boolean {
  return at <= instant && !(connection?.closedAt !== undefined && connection.closedAt < at)
}

/** Whether a client ever gets a reply, as far as is known. */
export function mayArrive(delivery: Delivery): boolean {
  return Number.isFinite(delivery.at) && hasArrived(delivery, delivery.at)
}
