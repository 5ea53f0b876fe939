import { groupDigits } from '../../base/text/quantities.ts'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { type Ask, createAsk } from '../../library/client/ask-plane.ts'
import { sendOverHttp } from '../../library/client/send-over-http.ts'
import { serverTrust } from '../start/identify-server.ts'
import { findRunningServers, listChoices, locateServer, originOf } from '../start/running-servers.ts'
import { exitCodes } from '../terminal/io.ts'

/** The URL of the server's admin plane, or why there is none and the exit code. */
type FoundServer =
  | { readonly ok: true; readonly admin: string }
  | { readonly ok: false; readonly exitCode: number; readonly message: string }

/** Finds the server at a URL, or the only one on this machine. */
export async function findServer(url: URL | undefined): Promise<FoundServer> {
  if (url !== undefined) return await checkUrl(adminUrlOf(url))
  const running = await findRunningServers()
  const [only] = running
  if (only !== undefined && running.length === 1)
    return only.isBusy ? unreachable(busy(only.admin)) : { ok: true, admin: only.admin }
  if (only === undefined) return unreachable(`No pet-mock runs on this machine. Start one, ${orGiveUrl}`)
  const message = `${groupDigits(running.length)} servers run on this machine. Choose one:`
  return { ok: false, exitCode: exitCodes.wrongUsage, message: [message, ...listChoices(running)].join('\n') }
}

const orGiveUrl = 'or give its URL, such as --url http://127.0.0.1:7387/v1'

function unreachable(message: string): FoundServer {
  return { ok: false, exitCode: exitCodes.unreachable, message }
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

async function checkUrl(given: string): Promise<FoundServer> {
  const { admin, server } = await locateServer(given)
  switch (server.kind) {
    case 'pet-mock':
      return { ok: true, admin }
    case 'not-http':
      return unreachable(
        `The server at ${originOf(admin)} does not speak HTTP. If it has --tls, its URL is ${originOf(admin).replace('http:', 'https:')}/v1`,
      )
    case 'http':
      return unreachable(`The server at ${admin} is not a pet-mock. Start one, ${orGiveUrl}`)
    case 'silent':
      return unreachable(busy(admin))
    case 'unreachable':
      return unreachable(
        `No server can be reached at ${originOf(admin)} (${server.reason}). Start a pet-mock there, ${orGiveUrl}`,
      )
  }
}

/** What a command reads of an answer and waits for, before it gives up on a server. */
const usualLimits = { bytes: 64 * 1_048_576, ms: 60_000 }
const snapshotLimits = { bytes: 512 * 1_048_576, ms: 600_000 }

/** Opens the admin plane at a URL, which was found to be one: nothing else may get the token. */
export async function openPlane(admin: string, token: string | undefined, sandbox?: string): Promise<Ask> {
  const limitsOf = (target: string) => (target.startsWith('/snapshot') ? snapshotLimits : usualLimits)
  return createAsk(sendOverHttp(admin, token, limitsOf, await serverTrust(admin)), sandbox)
}
