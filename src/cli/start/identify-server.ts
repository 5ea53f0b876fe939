import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonObject } from '../../base/json/value.ts'
import { clip } from '../../service/call/echo.ts'
import { printable } from '../terminal/printable.ts'
import { fetchServer } from './server-trust.ts'

/** What listens at a URL. */
export type ServerIdentity =
  /**
   * `start` names the run of the server. The scenario is empty if the admin plane requires a token. `health`: the answer of
   * the server, if it shows one.
   */
  | {
      readonly kind: 'pet-mock'
      readonly scenario: string
      readonly start?: string
      readonly health?: JsonObject
    }
  /** `name` is the header Server, if there is one. */
  | { readonly kind: 'http'; readonly name: string | undefined }
  | { readonly kind: 'not-http' | 'silent' }
  | { readonly kind: 'unreachable'; readonly reason: string }

const longestName = 60

/** Bytes of an answer to read. pet-mock's has about 100. */
const mostHealth = 65_536

/** How long a server may take to answer, in milliseconds. */
const patienceMs = 2_000

/** Identifies the server at the URL of an admin plane by one request. Sends no token. */
export async function identifyServer(admin: string, patience = patienceMs): Promise<ServerIdentity> {
  let response: Response
  try {
    const signal = AbortSignal.timeout(patience)
    response = await fetchServer(`${admin}/health`, { signal, redirect: 'manual' })
  } catch (error) {
    return identifyByError(error)
  }
  const text = await readBoundedText(response, mostHealth).catch(() => '')
  if (/^\{"status":"ok","name":"pet-mock",/.test(text)) {
    const reading = readJson(text)
    if ('value' in reading && isJsonObject(reading.value))
      return {
        kind: 'pet-mock',
        scenario: clip(`${reading.value.scenario ?? ''}`, longestName),
        ...(typeof reading.value.start === 'string' && { start: reading.value.start }),
        health: reading.value,
      }
  }
  if (/^\{"code":"(?:invalid_admin_token|admin_plane_closed|host_not_allowed)",/.test(text))
    return { kind: 'pet-mock', scenario: '' }
  const name = response.headers.get('server')
  return { kind: 'http', name: name === null ? undefined : clip(printable(name), longestName) }
}

function identifyByError(error: unknown): ServerIdentity {
  if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'silent' }
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return { kind: 'unreachable', reason: String(error) }
  // It accepts connections and does not speak HTTP.
  // The parser's error has no code since Node 24.
  const code = 'code' in cause ? `${cause.code}` : ''
  if (cause.name === 'HTTPParserError' || /^(?:HPE_|UND_ERR_SOCKET|ECONNRESET)/.test(code))
    return { kind: 'not-http' }
  return { kind: 'unreachable', reason: cause.message || cause.name }
}

/** A body longer than the reader accepts. */
class TooLong extends Error {
  constructor(most: number) {
    super(`the answer is longer than ${most / 1_048_576} MiB`)
  }
}

/** Reads a body as text. Rejects with TooLong as soon as it has more than `most` bytes, decompressed. */
async function readBoundedText({ body }: Response, most: number): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > most) {
      await reader.cancel().catch(() => {})
      throw new TooLong(most)
    }
    text += decoder.decode(value, { stream: true })
  }
}
