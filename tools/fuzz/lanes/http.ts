import fc from 'fast-check'
import { delivery } from '../grammar/any-call.ts'
import { type WellFormed, wellFormed } from '../grammar/well-formed.ts'
import { expectState } from '../judge/expect-state.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { Broken, type Lane, sessionOf } from '../lane.ts'
import type { StartServer } from '../server/server.ts'
import { keepServer } from '../server/server.ts'
import { type Delivery, exchange } from '../wire/connection.ts'
import { readReplies } from '../wire/read-replies.ts'

interface Talk {
  readonly requests: readonly WellFormed[]
  readonly delivery: Delivery
}

const talk: fc.Arbitrary<Talk> = fc.record({
  requests: fc.array(wellFormed, { minLength: 1, maxLength: 24, size: 'max' }),
  delivery,
})

/** Requests as the standard has them, pipelined on a few connections at once: each gets its answer, in order. */
export function httpLane(start: StartServer): Lane {
  return {
    name: 'http',
    about: 'valid requests to /v1 over sockets, pipelined',
    share: 400_000,
    perCase: 40,
    open: async () => {
      const kept = await keepServer(start)
      const run = async (talks: readonly Talk[]) => {
        const server = await kept.fresh()
        const counts = await Promise.all(talks.map(talk => converse(server.port, talk)))
        server.expectSound()
        await expectState(server.port)
        return counts.reduce((sum, count) => sum + count, 0)
      }
      return sessionOf({ cases: fc.array(talk, { minLength: 2, maxLength: 4, size: 'max' }), run, ...kept })
    },
  }
}

/** Sends requests on one connection and judges their replies. Returns how many were sent. */
async function converse(port: number, { requests, delivery }: Talk): Promise<number> {
  const bodyOf = (index: number) => (requests[index]?.isHead === true ? 'head' : 'any')
  const isWhole = (received: string) => {
    const { replies } = readReplies(received, bodyOf)
    return replies.length >= requests.length || replies.at(-1)?.headers.connection === 'close'
  }
  const sent = requests.map(({ bytes }) => bytes).join('')
  const received = await exchange(port, sent, delivery, isWhole)
  const { replies, rest } = readReplies(received, bodyOf)
  for (const [index, reply] of replies.entries()) {
    const request = requests[index]
    if (request === undefined) throw new Broken(`${replies.length} replies to ${requests.length} requests`)
    judgeReply(reply, request)
    request.expect(reply)
  }
  if (delivery.end === 'reset' || delivery.end === 'leave') return requests.length
  if (rest !== '') throw new Broken(`Bytes after the last reply: ${JSON.stringify(rest.slice(0, 300))}`)
  const last = replies.at(-1)
  if (replies.length < requests.length && last?.headers.connection !== 'close')
    throw new Broken(
      `${replies.length} replies to ${requests.length} requests; the last: ${last?.status} ${last?.text}`,
    )
  return requests.length
}
