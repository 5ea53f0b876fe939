import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Answer, WalkthroughCall } from '../../judges/walkthrough/target.ts'
import { BrokenAnswer, exchange, LateAnswer } from '../../library/client/exchange.ts'
import type { Failure } from '../../service/call/fault.ts'
import { serverTrust } from '../start/identify-server.ts'

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
    send: async (call: WalkthroughCall, withinMs: number): Promise<Answer> => {
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
