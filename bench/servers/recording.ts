import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { headersOf, type SentCall } from '../load/load.ts'
import type { Bench } from '../measurement.ts'
import { isNotRun, type NotRun } from '../not-run.ts'
import { unlimitedPetMock } from './pet-mock.ts'
import { type RunningServer, type Server, startServer } from './server.ts'

/** What pet-mock answered once. */
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

/** The servers that answer the same pets. Another one is told as not run: its figure would be of other work. */
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
  const init = { method, headers: headersOf(call), ...(body !== undefined && { body }) }
  const response = await fetch(new URL(target, url), init)
  const headers = [...response.headers].filter(([name]) => !addedByNode.has(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() }
}
