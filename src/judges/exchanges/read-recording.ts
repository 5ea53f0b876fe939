import { countIn } from '../../base/count-in.ts'
import { isObject } from '../../base/json/is-object.ts'
import { formatCount } from '../../base/text/quantities.ts'
import { parseInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call, Connection, Reply } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { broken, readHarEntry, undated } from './har-entry.ts'
import type { LeftOutList } from './left-out.ts'
import { type Found, listEntries, longestEntry, startOf } from './list-entries.ts'
import { seenExchange } from './seen-trace.ts'
import { asReplyHeaders, type Fields, parseFields } from './texts.ts'

/** The calls of one API in a recording, as far as it says something about them. */
export interface Recording<Call> {
  /** `calls.har` is an archive; `GET /__admin/requests` gives a journal. */
  readonly kind: 'archive' | 'journal' | 'log'
  /** The oldest first, as the recording has them. */
  readonly calls: readonly Call[]
  readonly base: string | undefined
  /** Whether no call has a key, because browsers leave them out of archives. */
  readonly hidesKeys: boolean
  /** What is special about it, as sentences. */
  readonly notes: readonly string[]
}

interface ReadingOptions<Call> {
  /** The base URL of the API in an archive; by default the one with the most calls of known operations. */
  readonly base?: string | undefined
  readonly leftOut: LeftOutList
  /** What to hold of an exchange: a recording may have half a million. */
  readonly keep: (exchange: Exchange) => Call
}

/**
 * Reads an HTTP archive, pet-mock's journal as JSON, or its log as JSON, in UTF-8. Targets begin with `/v1` instead of the
 * service's own base path. Undefined if the bytes are none of these.
 */
export function readRecording<T>(bytes: Uint8Array, options: ReadingOptions<T>): Recording<T> | undefined {
  return readArchive(bytes, options) ?? readJournal(bytes, options) ?? readLog(bytes, options)
}

const tooLong = `an entry is larger than ${longestEntry / 2 ** 20} MiB`

function readArchive<T>(bytes: Uint8Array, options: ReadingOptions<T>): Recording<T> | undefined {
  const { base, leftOut, keep } = options
  const found: Found = { isList: false, isWhole: false }
  const kept: { readonly base: string; readonly call: T }[] = []
  const known = new Map<string, number>()
  const connections = new Map<string, Connection>()
  const connectionOf = (name: string): Connection => {
    const connection = connections.get(name) ?? { name, opened: 0 }
    connections.set(name, connection)
    return connection
  }
  let hidesKeys = true
  let id = 0
  for (const text of listEntries(bytes, ['log', 'entries'], found)) {
    id += 1
    const entry = text === undefined ? tooLong : readHarEntry(text, base, { id, connectionOf })
    if (typeof entry === 'string') {
      leftOut.add(entry)
      continue
    }
    const { exchange, isOwn } = entry
    if (isOwn || exchange.trace.key !== undefined) hidesKeys = false
    const { target, method } = exchange.call
    countIn(known, entry.base, operationAt(readTarget(target).path, method) ? 1 : 0)
    kept.push({ base: entry.base, call: keep(exchange) })
  }
  if (!found.isList) return undefined
  if (!found.isWhole) leftOut.add('the archive is cut off in the middle of an entry')
  const chosen = base ?? [...known].sort(([, one], [, other]) => other - one)[0]?.[0]
  const calls = kept.flatMap(entry => {
    if (entry.base === chosen) return [entry.call]
    leftOut.add('calls of other addresses', entry.base.split('/')[2])
    return []
  })
  return { kind: 'archive', calls, base: chosen, hidesKeys, notes: [] }
}

function readJournal<T>(bytes: Uint8Array, { leftOut, keep }: ReadingOptions<T>): Recording<T> | undefined {
  const found: Found = { isList: false, isWhole: false }
  const calls: T[] = []
  for (const text of listEntries(bytes, ['requests'], found)) {
    const exchange = text === undefined ? tooLong : readJournalEntry(parseFields(text))
    if (typeof exchange === 'string') leftOut.add(exchange)
    else calls.push(keep(exchange))
  }
  if (!found.isList) return undefined
  if (!found.isWhole) leftOut.add('the journal is cut off in the middle of an entry')
  return { kind: 'journal', calls, base: undefined, hidesKeys: false, notes: [] }
}

/** Reads the lines of `--log-format json`. */
function readLog<T>(bytes: Uint8Array, { leftOut, keep }: ReadingOptions<T>): Recording<T> | undefined {
  const calls: T[] = []
  let [known, starts, dropped, strange] = [0, 0, 0, 0]
  for (const line of linesOf(bytes)) {
    const fields = line.length > longestEntry ? undefined : parseFields(line)
    const event = fields?.event
    if (typeof event === 'string') known += 1
    if (event === 'call') {
      const exchange = readJournalEntry(fields)
      if (typeof exchange === 'string') leftOut.add(exchange)
      else calls.push(keep(exchange))
    } else if (event === 'ready') starts += 1
    else if (event === 'refused') leftOut.add('requests that the server refused before they were calls')
    else if (event === 'dropped') dropped += typeof fields?.calls === 'number' ? fields.calls : 0
    else if (event === undefined && line.trim() !== '') strange += 1
  }
  if (known === 0) return undefined
  if (strange > 0) leftOut.add('lines that are not of the log', undefined, strange)
  if (dropped > 0) leftOut.add('lines that the log dropped, because its reader was slow', undefined, dropped)
  const runs = `The log is of ${formatCount(starts, 'run')} of a server. Calls of all runs are replayed by their time.`
  return { kind: 'log', calls, base: undefined, hidesKeys: false, notes: starts > 1 ? [runs] : [] }
}

/** One line after the other, since a list of all would take twice the memory. */
function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  for (let from = startOf(bytes); from < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, from)
    const to = end === -1 ? bytes.length : end
    yield decoder.decode(bytes.subarray(from, to))
    from = to + 1
  }
}

const lineFeed = 0x0a

/** Reads a call of pet-mock's journal or log, or says why it is left out. A log has no messages. */
function readJournalEntry(fields: Fields | undefined): Exchange | string {
  const { method, target, status, code, key, sandbox } = fields ?? {}
  if (typeof method !== 'string' || typeof target !== 'string' || typeof status !== 'number') return broken
  const at = typeof fields?.at === 'string' ? parseInstant(fields.at) : undefined
  if (at === undefined || at < 0) return undated
  if (code === 'host_not_allowed') return 'calls of other addresses'
  const { path, query } = readTarget(target)
  const request = isObject(fields?.request) ? fields.request : {}
  const response = isObject(fields?.response) ? fields.response : {}
  const call: Call = {
    method,
    // A target in absolute form names a host.
    target: query === '' ? path : `${path}?${query}`,
    headers: pairsOf(request.headers),
    body: typeof request.body === 'string' ? new TextEncoder().encode(request.body) : undefined,
    scheme: 'http',
    client: '',
    receivedAt: at,
  }
  const reply: Reply = {
    status,
    headers: asReplyHeaders(pairsOf(response.headers)),
    body: typeof response.body === 'string' ? response.body : undefined,
  }
  const id = typeof fields?.id === 'number' ? fields.id : 0
  const known = typeof key === 'string' ? key : undefined
  const place = typeof sandbox === 'string' ? sandbox : defaultSandbox
  const seen = seenExchange({ id, call, reply, answeredAt: at, key: known }, { sandbox: place })
  return typeof code === 'string' ? { ...seen, trace: { ...seen.trace, code } } : seen
}

/** Names and values in turn; the journal has a list for a header that was sent several times. */
function pairsOf(headers: unknown): readonly string[] {
  if (!isObject(headers)) return []
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap(text => (typeof text === 'string' ? [name, text] : [])),
  )
}
