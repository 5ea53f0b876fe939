import { X509Certificate } from 'node:crypto'
import { isJsonObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonObject } from '../../base/json/value.ts'
import type { WholeAnswer } from '../../judges/walkthrough/target.ts'
import { exchange, NoWholeAnswer, type ServerTrust } from '../../library/client/exchange.ts'
import { codeOf } from '../../library/files/read-file.ts'
import { clip } from '../../service/call/echo.ts'
import { printable } from '../terminal/text.ts'
import { readRunFiles } from './run-files.ts'

export type ServerIdentity =
  /**
   * `start` names the run of the server. The scenario is empty if the admin plane requires a token. `health`: the response of
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

/** Bytes of a response to read. pet-mock's has about 100. */
const mostHealth = 65_536

/** How long a server may take to answer, in milliseconds. */
const patienceMs = 2_000

/** Identifies the server at the URL of an admin plane by one request. Sends no token. */
export async function identifyServer(admin: string, patience = patienceMs): Promise<ServerIdentity> {
  let answer: WholeAnswer
  try {
    const url = new URL(`${admin}/health`)
    const trust = await serverTrust(admin)
    const request = { method: 'GET', target: url.pathname, headers: [], body: undefined, trust }
    answer = await exchange(url, request, { bytes: mostHealth, ms: patience })
  } catch (error) {
    return identifyByError(error)
  }
  const { text, headers } = answer
  if (/^\{"status":"ok","name":"pet-mock",/.test(text)) {
    const health = jsonIn(text)
    if (isJsonObject(health)) {
      const { scenario, start } = health
      const shown = clip(`${scenario ?? ''}`, longestName)
      return { kind: 'pet-mock', scenario: shown, ...(typeof start === 'string' && { start }), health }
    }
  }
  // pet-mock with TLS, and nginx, answer plain HTTP in words.
  if (/^\{"code":"bad_request","message":"The request is plain HTTP|sent to HTTPS port/.test(text))
    return { kind: 'not-http' }
  if (/^\{"code":"(?:invalid_admin_token|admin_plane_closed|host_not_allowed)",/.test(text))
    return { kind: 'pet-mock', scenario: '' }
  return otherServer(headers)
}

function otherServer({ server: name }: WholeAnswer['headers']): ServerIdentity {
  return { kind: 'http', name: name === undefined ? undefined : clip(printable(name), longestName) }
}

function identifyByError(error: unknown): ServerIdentity {
  if (error instanceof NoWholeAnswer)
    return error.headers === undefined ? { kind: 'silent' } : otherServer(error.headers)
  if (!(error instanceof Error)) return { kind: 'unreachable', reason: String(error) }
  // It accepts connections and does not speak HTTP.
  if (/^(?:HPE_|ECONNRESET)/.test(codeOf(error))) return { kind: 'not-http' }
  return { kind: 'unreachable', reason: error.message || error.name }
}

/**
 * Trusts the certificate that a running server of this user wrote into its run file, at that server's address. Undefined for
 * other servers.
 */
export async function serverTrust(url: string): Promise<ServerTrust | undefined> {
  const { origin, protocol } = new URL(url)
  const runs = protocol === 'https:' ? await readRunFiles() : []
  const certificate = runs.find(run => run.certificate && new URL(run.admin).origin === origin)?.certificate
  if (certificate === undefined) return undefined
  const { raw: expected } = new X509Certificate(certificate)
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    // The same certificate is more than the same name.
    checkServerIdentity: (_host, { raw }) =>
      expected.equals(raw) ? undefined : new Error('another server has this address'),
  }
}
