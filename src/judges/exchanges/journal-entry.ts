import { isObject } from '../../base/json/is-object.ts'
import { parseInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import { broken, type Fields, undated } from './har-entry.ts'
import { seenTrace } from './seen-trace.ts'
import { asReplyHeaders } from './texts.ts'

/** Reads a call of pet-mock's journal or log, or says why it is left out. A log has no messages. */
export function readJournalEntry(fields: Fields | undefined): Exchange | string {
  const { method, target, status, code, key, sandbox } = fields ?? {}
  if (typeof method !== 'string' || typeof target !== 'string' || typeof status !== 'number') return broken
  const at = typeof fields?.at === 'string' ? parseInstant(fields.at) : undefined
  if (at === undefined || at < 0) return undated
  if (code === 'host_not_allowed') return 'calls of other addresses'
  const request = isObject(fields?.request) ? fields.request : {}
  const response = isObject(fields?.response) ? fields.response : {}
  const call: Call = {
    method,
    target: withoutHost(target),
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
  const known = typeof key === 'string' ? key : undefined
  const trace = seenTrace(call, reply, { base: '/v1', key: known, mark: reply.headers['X-Pet-Mock'] })
  return {
    id: typeof fields?.id === 'number' ? fields.id : 0,
    sandbox: typeof sandbox === 'string' ? sandbox : defaultSandbox,
    at,
    scale: 1,
    call,
    reply,
    answeredAt: at,
    trace: typeof code === 'string' ? { ...trace, code } : trace,
    cut: { call: undefined, reply: undefined },
  }
}

/** A target in absolute form names a host. */
function withoutHost(target: string): string {
  const { path, query } = readTarget(target)
  return query === '' ? path : `${path}?${query}`
}

/** Names and values in turn; the journal has a list for a header that was sent several times. */
function pairsOf(headers: unknown): readonly string[] {
  if (!isObject(headers)) return []
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap(text => (typeof text === 'string' ? [name, text] : [])),
  )
}
