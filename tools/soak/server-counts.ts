import type { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'
import { sandboxes } from './traffic.ts'

export interface SandboxCounts {
  readonly sandbox: string
  readonly pets: number
  readonly used: Readonly<Record<string, number>>
  readonly requests: number
}

export interface ServerCounts {
  readonly metrics: ReadonlyMap<string, number>
  readonly sandboxes: readonly SandboxCounts[]
}

export async function ask(origin: string, path: string, method = 'GET', body?: unknown): Promise<string> {
  const response = await fetch(`${origin}/__admin/${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  return text
}

export async function readCounts(origin: string): Promise<ServerCounts> {
  const metrics = readMetrics(await ask(origin, 'metrics'))
  return { metrics, sandboxes: await Promise.all(sandboxes.map(sandbox => readSandbox(origin, sandbox))) }
}

async function readSandbox(origin: string, sandbox: string): Promise<SandboxCounts> {
  const of = `?sandbox=${sandbox}`
  const keys: { keys: { key: string; used: { day: number } }[] } = JSON.parse(await ask(origin, `keys${of}`))
  const pets: { total: number } = JSON.parse(await ask(origin, `pets${of}&limit=1`))
  const requests: { count: number; evicted: number } = JSON.parse(
    await ask(origin, `requests/count${of}`, 'POST', {}),
  )
  const used = Object.fromEntries(keys.keys.map(({ key, used }) => [key, used.day]))
  return { sandbox, pets: pets.total, used, requests: requests.count + requests.evicted }
}

function readMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

export function sumOf(metrics: ReadonlyMap<string, number>, name: string): number {
  let sum = 0
  for (const [sample, value] of metrics) if (sample === name || sample.startsWith(`${name}{`)) sum += value
  return sum
}

export interface EventReader {
  events: number
  readonly newest: Record<string, number>
  readonly stop: () => void
}

export async function readEvents(origin: string): Promise<EventReader> {
  const stop = new AbortController()
  const { body } = await fetch(`${origin}/__admin/events`, { signal: stop.signal })
  const reader: EventReader = { events: 0, newest: {}, stop: () => stop.abort() }
  const parser = createParser({
    onEvent: ({ data }) => {
      reader.events += 1
      Object.assign(reader.newest, (JSON.parse(data) as { newest: Record<string, number> }).newest)
    },
  })
  const read = async () => {
    if (body === null) return
    for await (const text of body.pipeThrough(new TextDecoderStream())) parser.feed(text)
  }
  // It ends with an error when it is stopped, or when the server ends the stream; the ids show whether it missed any.
  read().catch(() => {})
  return reader
}

export interface LogCounts {
  calls: number
  /** Calls that the log left out, because its reader was slow. */
  dropped: number
  contract: number
  readonly others: string[]
}

const prefix = Buffer.from('{"event":"call"')

/** Counts the lines of a log without keeping them. The first one says that the server is ready. */
export function countLog(stream: Readable, counts: LogCounts): void {
  let rest = Buffer.alloc(0)
  let isFirst = true
  stream.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      if (bytes.subarray(from, from + prefix.length).equals(prefix)) counts.calls += 1
      else if (!isFirst) countOther(bytes.toString('utf8', from, end), counts)
      isFirst = false
      from = end + 1
    }
    rest = Buffer.from(bytes.subarray(from))
  })
}

function countOther(line: string, counts: LogCounts): void {
  const { event, calls }: { event: string; calls?: number } = JSON.parse(line)
  if (event === 'dropped') counts.dropped += calls ?? 0
  else if (event === 'contract') counts.contract += 1
  // The soak creates its sandboxes through the plane.
  else if (event === 'change') return
  else if (counts.others.length < 5) counts.others.push(line)
}
