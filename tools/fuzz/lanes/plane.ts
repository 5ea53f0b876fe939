import type { ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { delivery } from '../grammar/any-call.ts'
import { type Description, type PlaneRequest, planeRequests } from '../grammar/plane-requests.ts'
import { expectState } from '../judge/expect-state.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { createSchemas } from '../judge/schemas.ts'
import { Broken, type Lane, sessionOf } from '../lane.ts'
import type { StartServer } from '../server/server.ts'
import { keepServer } from '../server/server.ts'
import { ask, type Delivery, exchange } from '../wire/connection.ts'
import { readReplies, type WireReply } from '../wire/read-replies.ts'

interface Case {
  readonly talks: readonly { readonly requests: readonly PlaneRequest[]; readonly delivery: Delivery }[]
  readonly lasting: readonly PlaneRequest[]
}

/** Every route of the admin plane, from its own description. */
export function planeLane(start: StartServer): Lane {
  return {
    name: 'plane',
    about: 'calls to every route of /__admin, from its OpenAPI description',
    share: 90_000,
    perCase: 17,
    open: async () => {
      const kept = await keepServer(start)
      const { port } = await kept.fresh()
      const description: Description = JSON.parse((await ask(port, 'GET', '/__admin/openapi.json')).text)
      const snapshots = await Promise.all(
        ['', '?sandbox=*'].map(async query =>
          JSON.parse((await ask(port, 'GET', `/__admin/snapshot${query}`)).text),
        ),
      )
      const judge = createJudge(description)
      const talk = fc.record({
        requests: fc.array(planeRequests(description, snapshots, false), {
          minLength: 2,
          maxLength: 12,
          size: 'max',
        }),
        delivery,
      })
      const cases: fc.Arbitrary<Case> = fc.record({
        talks: fc.array(talk, { minLength: 1, maxLength: 3, size: 'max' }),
        lasting: fc.array(planeRequests(description, snapshots, true), { maxLength: 1 }),
      })
      const run = async ({ talks, lasting }: Case) => {
        const server = await kept.fresh()
        const leaving = { cuts: [0.5], pauseMs: 5, end: 'leave' } as const
        const left = lasting.map(request => exchange(server.port, write(request), leaving))
        for (const talk of talks) await converse(server.port, talk, judge)
        await Promise.all(left)
        server.expectSound()
        await expectState(server.port)
        return talks.reduce((sum, { requests }) => sum + requests.length, lasting.length)
      }
      return sessionOf({ cases, run, ...kept })
    },
  }
}

type Judge = (request: PlaneRequest, reply: WireReply) => void

async function converse(
  port: number,
  { requests, delivery }: Case['talks'][number],
  judge: Judge,
): Promise<void> {
  const isWhole = (received: string) => {
    const { replies } = readReplies(received, () => 'any')
    return replies.length >= requests.length || replies.at(-1)?.headers.connection === 'close'
  }
  const received = await exchange(port, requests.map(write).join(''), delivery, isWhole)
  const { replies, rest } = readReplies(received, () => 'any')
  for (const [index, reply] of replies.entries()) {
    const request = requests[index]
    if (request === undefined) throw new Broken(`${replies.length} replies to ${requests.length} requests`)
    judge(request, reply)
  }
  if (delivery.end === 'reset' || delivery.end === 'leave') return
  if (rest !== '') throw new Broken(`Bytes after the last reply: ${JSON.stringify(rest.slice(0, 300))}`)
  if (replies.length < requests.length && replies.at(-1)?.headers.connection !== 'close')
    throw new Broken(`${replies.length} replies to ${requests.length} requests`)
}

function write({ method, target, body, type }: PlaneRequest): string {
  const framing = body === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...framing, '', body ?? ''].join('\r\n')
}

/** Compares each reply with what the description says of its operation. */
function createJudge({ paths, components }: Description): Judge {
  const compile = createSchemas({ components })
  const compiled = new Map<object, ValidateFunction>()
  return ({ method, path, target }, reply) => {
    judgeReply(reply, { isHead: false })
    const operation = paths[path ?? '']?.[method.toLowerCase()]
    // A spoilt segment may lead to another path.
    if (operation === undefined || reply.headers['x-pet-mock'] !== undefined) return
    const described = operation.responses[reply.status]
    const schema = described?.content?.['application/json']?.schema
    if (described === undefined && !isAnyPath(path ?? '', target))
      throw new Broken(
        `${method} ${target} answered ${reply.status}, which its description does not have: ${reply.text}`,
      )
    if (schema === undefined || reply.status >= 300 || isAnyPath(path ?? '', target)) return
    const isValid = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, isValid)
    if (!isValid(JSON.parse(reply.text)))
      throw new Broken(
        `${method} ${target}: ${JSON.stringify(isValid.errors?.slice(0, 3))} in ${reply.text.slice(0, 600)}`,
      )
  }
}

/** Whether a target may be another path than the one that it was made from: a segment is empty or has dots. */
function isAnyPath(path: string, target: string): boolean {
  const asked = target.slice('/__admin'.length).split('?', 1)[0] ?? ''
  return !new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '(?!\\.\\.?(?:/|$))[^/]+')}$`).test(
    asked,
  )
}
