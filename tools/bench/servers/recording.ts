import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { headersOf, type SentCall } from '../load/load.ts'
import { type Bench, isNotRun, type NotRun } from '../measurement.ts'
import { unlimitedPetMock } from './pet-mock.ts'
import { type RunningServer, type Server, startServer } from './server.ts'

export interface RecordedReply {
  readonly status: number
  /** Without those that Node itself adds to every reply. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** By method. The replies of a method come in turn. */
export type Recording = Readonly<Record<'GET' | 'POST', readonly RecordedReply[]>>

const addedByNode = new Set(['connection', 'keep-alive', 'date'])

/** The file with pet-mock's replies to these calls. */
export async function record(
  { folder, processes }: Bench,
  petMock: Server,
  calls: readonly SentCall[],
): Promise<string> {
  const server = await startServer(processes, petMock)
  try {
    const recording = { GET: [] as RecordedReply[], POST: [] as RecordedReply[] }
    for (const call of calls) recording[call.method].push(await replyOf(server, call))
    const file = join(folder, 'recording.json')
    await writeFile(file, JSON.stringify(recording satisfies Recording))
    return file
  } finally {
    await server.stop()
  }
}

/** What the peers are to answer: a list of 20 pets; and all pets, as the list gives them. */
export async function readPets({ root, processes }: Bench) {
  const server = await startServer(processes, unlimitedPetMock(root))
  try {
    const { target, key } = server.server
    const list = await replyOf(server, { method: 'GET', target, key })
    const all = await replyOf(server, { method: 'GET', target: target.replace('20', '100'), key })
    return { list, pets: JSON.parse(all.body) as readonly unknown[] }
  } finally {
    await server.stop()
  }
}

/** The servers that answer the same pets. The report lists the others as not run: they did other work. */
export async function onlyEqual<Name extends string>(
  servers: Readonly<Record<Name, RunningServer | NotRun>>,
  { body }: RecordedReply,
): Promise<Readonly<Record<Name, RunningServer | NotRun>>> {
  const checked: [string, RunningServer | NotRun][] = []
  for (const [name, running] of Object.entries<RunningServer | NotRun>(servers)) {
    if (isNotRun(running)) checked.push([name, running])
    else {
      const { target, key } = running.server
      const reply = await replyOf(running, { method: 'GET', target, key })
      const isEqual = isDeepStrictEqual(JSON.parse(reply.body), JSON.parse(body))
      if (!isEqual) await running.stop()
      checked.push([
        name,
        isEqual ? running : { notRun: `it answers other pets: ${reply.body.slice(0, 100)}` },
      ])
    }
  }
  return Object.fromEntries(checked) as Record<Name, RunningServer | NotRun>
}

async function replyOf({ url }: RunningServer, call: SentCall): Promise<RecordedReply> {
  const { method, target, body } = call
  const sent = request(new URL(target, url), { method, headers: headersOf(call), agent: false }).end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (response?.statusCode === undefined) throw new Error(`${method} ${target} was not answered`)
  // As sent: names in lower case would cost the bare server less than pet-mock's.
  const headers = response.rawHeaders.flatMap((name, index, all) =>
    index % 2 > 0 || addedByNode.has(name.toLowerCase()) ? [] : [[name, all[index + 1] ?? '']],
  )
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: await text(response) }
}
