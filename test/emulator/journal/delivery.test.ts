import { expect, it } from 'vitest'
import {
  type Delivery,
  deliveryOf,
  type Exchange,
  hasArrived,
  mayArrive,
} from '../../../src/emulator/journal/exchange.ts'
import type { Reply } from '../../../src/service/call/call.ts'

const received = 10_000

function delivered(reply: Partial<Reply>, answeredAt?: number) {
  const exchange = { call: { receivedAt: received }, reply, ...(answeredAt !== undefined && { answeredAt }) }
  return deliveryOf(exchange as Exchange).at - received
}

const bytes = (length: number) => 'x'.repeat(length)

it.each<[what: string, reply: Partial<Reply>, ms: number]>([
  ['that nothing holds up is there at once', { body: bytes(100) }, 0],
  ['that is late is there after its delay', { delayMs: 70 }, 70],
  ['that is malformed is whole', { fault: 'malformed', body: bytes(100) }, 0],
  ['whose connection closes later is there before', { fault: { 'slow-close': 2_000 }, body: bytes(9) }, 0],
  ['that is slow has nine pauses between ten pieces', { fault: 'slow', body: bytes(100) }, 4_500],
  ['that is late and slow', { fault: 'slow', delayMs: 70, body: bytes(100) }, 4_570],
  ['that is slow, without a body', { fault: 'slow' }, 0],
  ['of one piece has no pause', { fault: { slow: { chunk: 10, every: 200 } }, body: bytes(10) }, 0],
  ['of a byte more has one', { fault: { slow: { chunk: 10, every: 200 } }, body: bytes(11) }, 200],
  ['of three pieces has two', { fault: { slow: { chunk: 10, every: 200 } }, body: bytes(25) }, 400],
  ['that is cut is never whole', { fault: 'truncate', body: bytes(100) }, Number.POSITIVE_INFINITY],
  ['that is reset is never there', { fault: 'reset' }, Number.POSITIVE_INFINITY],
  ['that is empty is never there', { fault: 'empty' }, Number.POSITIVE_INFINITY],
  ['that hangs is never there', { fault: { hang: { for: 5 } }, delayMs: 70 }, Number.POSITIVE_INFINITY],
])('a reply %s', (_, reply, ms) => {
  expect(delivered(reply)).toBe(ms)
})

it('a reply of a real service is there when the client got its head', () => {
  expect(delivered({ delayMs: 70 }, received + 30)).toBe(30)
})

const at = 500
const open: Delivery = { connection: undefined, at }
const closedAt = (instant: number): Delivery => ({ connection: { opened: 1, closedAt: instant }, at })

it.each<[what: string, delivery: Delivery, instant: number, isThere: boolean]>([
  ['before it was sent', open, at - 1, false],
  ['when it was sent', open, at, true],
  ['later', open, at + 1, true],
  ['on a connection that is open', { ...open, connection: { opened: 1 } }, at, true],
  ['on one that closes later', closedAt(at + 1), at, true],
  ['on one that closes at the same time', closedAt(at), at, true],
  ['on one that was closed before', closedAt(at - 1), at, false],
  ['on one that was closed before, later', closedAt(at - 1), at + 9, false],
])('whether a client has a reply %s', (_, delivery, instant, isThere) => {
  expect(hasArrived(delivery, instant)).toBe(isThere)
})

it.each<[what: string, delivery: Delivery, isPossible: boolean]>([
  ['that was sent', open, true],
  ['that was never sent', { ...open, at: Number.POSITIVE_INFINITY }, false],
  ['on a connection that is open', { ...open, connection: { opened: 1 } }, true],
  ['on one that was closed before', closedAt(at - 1), false],
])('whether a client ever gets a reply %s', (_, delivery, isPossible) => {
  expect(mayArrive(delivery)).toBe(isPossible)
})
