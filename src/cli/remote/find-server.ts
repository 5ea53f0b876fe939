import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { groupDigits } from '../../base/text/quantities.ts'
import { adminPath } from '../../doors/admin/routing/address.ts'
import type { PlayedAnswer, WalkthroughCall } from '../../judges/walkthrough/target.ts'
import { type Ask, createAsk } from '../../library/client/ask-plane.ts'
import { BrokenAnswer, exchange, LateAnswer } from '../../library/client/exchange.ts'
import { sendOverHttp } from '../../library/client/send-over-http.ts'
import type { Failure } from '../../service/call/fault.ts'
import {
  findRunningServers,
  listChoices,
  locateServer,
  originOf,
  serverTrust,
} from '../start/running-servers.ts'
import { exitCodes } from '../terminal/io.ts'

/** Finds the URL of the server's admin plane, or why there is none and the exit code. */
export async function findServer(url: URL | undefined) {
  if (url !== undefined) return await checkUrl(adminUrlOf(url))
  const running = await findRunningServers()
  const [only] = running
  if (only !== undefined && running.length === 1)
    return only.isBusy ? notFound(busy(only.admin)) : { ok: true as const, admin: only.admin }
  if (only === undefined) return notFound(`No pet-mock runs on this machine. Start one, ${orGiveUrl}`)
  const message = `${groupDigits(running.length)} servers run on this machine. Choose one:`
  return notFound([message, ...listChoices(running)].join('\n'), exitCodes.wrongUsage)
}

const orGiveUrl = 'or give its URL, such as --url http://127.0.0.1:7387/v1'

function notFound(message: string, exitCode: number = exitCodes.unreachable) {
  return { ok: false as const, exitCode, message }
}

/** Says that a server accepts a connection and does not answer. */
export function busy(admin: string): string {
  return `The server at ${originOf(admin)} does not respond. If it is pet-mock, it may be busy: try again.`
}

/** Accepts the base URL of the API, the URL of its admin plane, or their common start. */
export function adminUrlOf({ origin, pathname }: URL): string {
  const before = pathname.replace(/\/+$/, '').replace(/\/(?:v1|__admin(?:\/docs)?)$/, '')
  return `${origin}${before}${adminPath}`
}

async function checkUrl(given: string) {
  const { admin, server } = await locateServer(given)
  switch (server.kind) {
    case 'pet-mock':
      return { ok: true as const, admin }
    case 'not-http':
      return notFound(
        `The server at ${originOf(admin)} does not speak HTTP. If it has --tls, its URL is ${originOf(admin).replace('http:', 'https:')}/v1`,
      )
    case 'http':
      return notFound(`The server at ${admin} is not a pet-mock. Start one, ${orGiveUrl}`)
    case 'silent':
      return notFound(busy(admin))
    case 'unreachable':
      return notFound(
        `No server can be reached at ${originOf(admin)} (${server.reason}). Start a pet-mock there, ${orGiveUrl}`,
      )
  }
}

/** What a command reads of a response and waits for, before it gives up on a server. */
const usualLimits = { bytes: 64 * 1_048_576, ms: 60_000 }
const snapshotLimits = { bytes: 512 * 1_048_576, ms: 600_000 }

/** Opens the admin plane at a URL, which was found to be one: nothing else may get the token. */
export async function openPlane(admin: string, token: string | undefined, sandbox?: string): Promise<Ask> {
  const limitsOf = (target: string) => (target.startsWith('/snapshot') ? snapshotLimits : usualLimits)
  return createAsk(sendOverHttp(admin, token, limitsOf, await serverTrust(admin)), sandbox)
}

/** Sends calls to a server, without redirects and retries. */
export type HttpClient = ReturnType<typeof createHttpClient>

const connectionsAtOnce = 500
/** The most bytes of a body. A longer one counts as broken. */
const maxAnswer = 64 * 2 ** 20

export function createHttpClient(url: URL) {
  // One connection for each call: a kept connection could already be closed, and fail the next call.
  const options = { keepAlive: false, maxSockets: connectionsAtOnce }
  const agent = url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options)
  const trusted = serverTrust(url.href)
  return {
    /** Rejects with Node's system error if there is no server. `target` is the whole path. */
    send: async (call: WalkthroughCall, withinMs: number): Promise<PlayedAnswer> => {
      const trust = await trusted
      return exchange(url, { ...call, agent, trust }, { bytes: maxAnswer, ms: withinMs }).catch(error => {
        const fails = failureOf(error)
        if (fails === undefined) throw error
        return { fails }
      })
    },
    close: () => agent.destroy(),
  }
}

/** How a call failed for its client; undefined if there is no server. */
function failureOf(error: Error & { readonly code?: string }): Failure | undefined {
  if (error instanceof LateAnswer) return 'hang'
  if (error instanceof BrokenAnswer) return 'truncate'
  // The connection was reset while the body was being sent.
  if (error.code === 'EPIPE') return 'reset'
  if (error.code !== 'ECONNRESET') return undefined
  // Node uses the same code if the connection closes before the first byte.
  return error.message === 'socket hang up' ? 'empty' : 'reset'
}
