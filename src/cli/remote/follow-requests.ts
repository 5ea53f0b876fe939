import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream'
import { isJsonObject, objectOf } from '../../base/json/is-object.ts'
import { jsonIn, readJson } from '../../base/json/read.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { RequestView } from '../../library/client/ask-plane.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { identifyServer, serverTrust } from '../start/running-servers.ts'
import { replaceFrom } from '../start/state/write-whole-file.ts'
import { jsonLine } from '../terminal/text.ts'
import type { Session } from './server-command.ts'

type Filter = Readonly<Record<string, unknown>>

/** How long to try to reach a server that stopped, in milliseconds. */
export interface Patience {
  /** The pause before each try, so that no server makes this command call it without pause. */
  readonly pauseMs: number
  readonly totalMs: number
}

const aMinute: Patience = { pauseMs: 500, totalMs: 60_000 }

/**
 * Prints the newest requests, then each new one, also after a restart of the server. Resolves when stdout is closed; rejects
 * when the server stays away.
 */
export async function follow(
  session: Session,
  filter: Filter,
  limit: number | undefined,
  toLines: (requests: readonly RequestView[]) => readonly string[],
  patience = aMinute,
): Promise<void> {
  const { io, values } = session
  const closed = new AbortController()
  io.stdout.on('error', () => closed.abort())
  const write = (requests: readonly RequestView[]) => {
    const texts = values.json ? requests.map(jsonLine) : toLines(requests)
    if (texts.length > 0) io.stdout.write(`${texts.join('\n')}\n`)
  }
  const readNew = createReader(session, filter, limit)
  try {
    // The server drops a reader that is too slow, and may restart: connect again and continue.
    for (;;) {
      let events = 0
      try {
        for await (const news of watchNews(session, closed.signal)) {
          events += 1
          write(await readNew(news))
        }
      } catch (error) {
        if (events === 0 || !(error instanceof PetMockError && error.code === 'unreachable')) throw error
      }
      if (events === 0)
        throw new PetMockError('unreachable', `${session.admin} ends its event stream at once.`)
      await waitForServer(session, patience, closed.signal)
    }
  } catch (error) {
    if (!closed.signal.aborted) throw error
  }
}

async function waitForServer({ admin, io }: Session, { pauseMs, totalMs }: Patience, signal: AbortSignal) {
  const end = performance.now() + totalMs
  for (let isFirst = true; performance.now() < end; isFirst = false) {
    await wait(pauseMs, undefined, { signal })
    // Send the token to a pet-mock only.
    const { kind } = await identifyServer(admin)
    if (kind === 'pet-mock') return
    if (isFirst)
      io.stderr.write(
        `The server at ${admin} has stopped. Waiting ${totalMs / 1_000} s for it to come back.\n`,
      )
  }
  throw new PetMockError('unreachable', `The server at ${admin} has stopped.`)
}

/** Returns a function that lists the requests since its last call, oldest first. */
function createReader(
  { ask, values: { sandbox = defaultSandbox } }: Session,
  filter: Filter,
  limit: number | undefined,
): (news: News) => Promise<readonly RequestView[]> {
  const printed = new Map<string, number>()
  const announced = new Map<string, number>()
  let run: string | undefined
  let isFirst = true

  const list = async (query: Filter): Promise<readonly RequestView[]> => {
    try {
      const { requests } = await ask('listRequests', filter, query)
      for (const { sandbox, id } of requests) printed.set(sandbox, Math.max(id, printed.get(sandbox) ?? 0))
      return requests
    } catch (error) {
      // The sandbox does not exist yet, or was dropped.
      if (error instanceof PetMockError && error.code === 'not_found') return []
      throw error
    }
  }

  return async ({ start, newest }) => {
    // A server that restarts counts anew.
    if (start !== run) {
      printed.clear()
      announced.clear()
    }
    run = start
    const ours = Object.entries(newest).filter(([name]) => sandbox === '*' || name === sandbox)
    // A sandbox that was dropped and made again counts anew, too.
    for (const [name, id] of ours) if (id < (announced.get(name) ?? 0)) printed.delete(name)
    for (const [name, id] of ours) announced.set(name, id)
    if (isFirst) {
      isFirst = false
      for (const [name, id] of ours) printed.set(name, id)
      return await list({ sandbox, limit })
    }
    const found: RequestView[] = []
    for (const [name, id] of ours) {
      const after = printed.get(name) ?? 0
      // A list may have requests that later events announce.
      if (id <= after) continue
      printed.set(name, id)
      found.push(...(await list({ sandbox: name, after })))
    }
    return found
  }
}

/** The most characters of one event. Each has the ids of up to 1,000 sandboxes. */
const longestEvent = 1_048_576

/** A server sends a comment every 15 s. */
const quietMs = 60_000

/** The stream is not the one of an admin plane. */
class NoEvents extends Error {}

/** Yields the newest ids whenever requests arrive, until the event stream ends. */
async function* watchNews(session: Session, signal: AbortSignal): AsyncGenerator<News> {
  const quiet = new AbortController()
  const watch = setTimeout(() => quiet.abort(new NoEvents('it is silent')), quietMs)
  try {
    const stop = AbortSignal.any([signal, quiet.signal])
    const stream = await openStream(session, '/events', stop)
    const body = Readable.toWeb(stream) as ReadableStream<Uint8Array<ArrayBuffer>>
    const onComment = () => watch.refresh()
    const parser = new EventSourceParserStream({ maxBufferSize: longestEvent, onComment })
    for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
      watch.refresh()
      yield newsOf(data)
    }
  } catch (error) {
    if (signal.aborted) throw error
    const reason = quiet.signal.aborted ? quiet.signal.reason : error
    const isEndless = reason instanceof ParseError && reason.type === 'max-buffer-size-exceeded'
    const other = isEndless ? 'an event does not end' : reason instanceof NoEvents && reason.message
    const what = other === false ? 'has stopped' : `is not pet-mock: ${other}`
    throw new PetMockError('unreachable', `The server at ${session.admin} ${what}.`, { cause: error })
  } finally {
    clearTimeout(watch)
  }
}

/** Resolves with a response of the admin plane once its headers are there. The signal also ends its body. */
async function openStream(
  { admin, values: { 'admin-token': token } }: Pick<Session, 'admin' | 'values'>,
  path: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  const options = { headers, signal, agent: false, ...(await serverTrust(admin)) }
  const send = admin.startsWith('https:') ? requestTls : request
  return new Promise((resolve, reject) => {
    send(`${admin}${path}`, options, resolve).on('error', reject).end()
  })
}

type News = ReturnType<typeof newsOf>

/** The run of the server, and the id of the newest request by sandbox. */
function newsOf(data: string) {
  const event = objectOf(jsonIn(data))
  if (!isJsonObject(event.newest)) throw new NoEvents('its events have no ids of requests')
  const newest = Object.entries(event.newest).map(([name, id]) => [name, Number(id)] as const)
  const start = typeof event.start === 'string' ? event.start : undefined
  return { start, newest: Object.fromEntries(newest) }
}

/** Saves the box of a server to a file. The box is no JSON, so this does not ask as other commands do. Rejects with a PetMockError, or with Node's system error. */
export async function fetchBox(session: Session, path: string) {
  const { admin, io } = session
  const response = await openStream(session, '/box', AbortSignal.timeout(600_000)).catch(error => {
    throw new PetMockError('unreachable', `No pet-mock answers at ${admin}. Is it running?`, { cause: error })
  })
  if (response.statusCode !== 200) {
    const reading = readJson(await text(response))
    const message = 'value' in reading && isJsonObject(reading.value) ? reading.value.message : undefined
    throw new PetMockError('not_found', typeof message === 'string' ? message : `${admin} gives no box.`)
  }
  const temporary = `${path}.${io.pid}.tmp`
  await replaceFrom(path, temporary, () => pipeline(response, createWriteStream(temporary)))
  return { file: path, bytes: (await stat(path)).size }
}
