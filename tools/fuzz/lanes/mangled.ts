import fc from 'fast-check'
import { delivery } from '../grammar/any-call.ts'
import { mangled } from '../grammar/mangled.ts'
import { expectState } from '../judge/expect-state.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { Broken, type Lane, sessionOf } from '../lane.ts'
import type { StartServer } from '../server/server.ts'
import { keepServer } from '../server/server.ts'
import { type Delivery, exchange } from '../wire/connection.ts'
import { readReplies } from '../wire/read-replies.ts'

interface Stream {
  readonly sent: string
  readonly delivery: Delivery
}

const stream: fc.Arbitrary<Stream> = fc.record({
  sent: mangled,
  // Nobody knows how many replies follow: the client closes its side.
  delivery: delivery.map(given => (given.end === 'wait' ? { ...given, end: 'close' as const } : given)),
})

/** Streams that break the rules of HTTP: whatever is answered is well-formed, and the connection ends. */
export function mangledLane(start: StartServer): Lane {
  return {
    name: 'mangled',
    about: 'broken, ambiguous and hostile bytes over sockets',
    share: 150_000,
    perCase: 20,
    open: async () => {
      const kept = await keepServer(start)
      const run = async (streams: readonly Stream[]) => {
        const server = await kept.fresh()
        await Promise.all(streams.map(stream => send(server.port, stream)))
        server.expectSound()
        await expectState(server.port)
        return streams.length
      }
      return sessionOf({
        cases: fc.array(stream, { minLength: 10, maxLength: 30, size: 'max' }),
        run,
        ...kept,
      })
    },
  }
}

async function send(port: number, { sent, delivery }: Stream): Promise<void> {
  const received = await exchange(port, sent, delivery)
  const { replies, rest } = readReplies(received, () => (sent.includes('HEAD') ? 'unknown' : 'any'))
  for (const reply of replies) {
    const isHead = sent.includes('HEAD') && reply.text === ''
    judgeReply(reply, { isHead })
  }
  // HTTP/2 is answered in its own frames.
  if (rest !== '' && delivery.end === 'close' && !sent.includes('PRI * HTTP/2.0'))
    throw new Broken(`Bytes after the last reply: ${JSON.stringify(rest.slice(0, 300))}`)
}
