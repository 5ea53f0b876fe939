import { adminPath } from '../../doors/admin/routing/address.ts'
import { identifyServer } from '../start/identify-server.ts'
import { type RunFile, readRunFiles, removeRunFile } from '../start/run-files.ts'
import { isRunning } from '../start/state/lock-owner.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'
import { groupDigits } from '../terminal/quantities.ts'

/** The URL of the server's admin plane, or why there is none and the exit code. */
export type FoundServer =
  | { readonly ok: true; readonly admin: string }
  | { readonly ok: false; readonly exitCode: number; readonly message: string }

/** Finds the server at a URL, or the only one on this machine. */
export async function findServer(url: URL | undefined): Promise<FoundServer> {
  if (url !== undefined) return await checkUrl(adminUrlOf(url))
  const running = await findRunning()
  const [only] = running
  if (only !== undefined && running.length === 1) return { ok: true, admin: only.admin }
  if (only === undefined) return unreachable(`No pet-mock runs on this machine. Start one, ${orGiveUrl}`)
  const list = running.map(
    ({ admin, scenario, pid }) =>
      `  --url ${baseUrlOf(admin)}  ${scenario === '' ? '' : `${printable(scenario)}, `}process ${pid}`,
  )
  const message = `${groupDigits(running.length)} servers run on this machine. Choose one:`
  return { ok: false, exitCode: exitCodes.wrongUsage, message: [message, ...list].join('\n') }
}

const orGiveUrl = 'or give its URL, such as --url http://127.0.0.1:7387/v1'

function unreachable(message: string): FoundServer {
  return { ok: false, exitCode: exitCodes.unreachable, message }
}

/** Accepts the base URL of the API, the URL of its admin plane, or their common start. */
export function adminUrlOf({ origin, pathname }: URL): string {
  const before = pathname.replace(/\/+$/, '').replace(/\/(?:v1|__admin(?:\/docs)?)$/, '')
  return `${origin}${before}${adminPath}`
}

function baseUrlOf(admin: string): string {
  return admin.slice(0, -adminPath.length)
}

async function checkUrl(admin: string): Promise<FoundServer> {
  const server = await identifyServer(admin)
  switch (server.kind) {
    case 'pet-mock':
      return { ok: true, admin }
    case 'http':
    case 'not-http':
      return unreachable(`The server at ${admin} is not a pet-mock. Start one, ${orGiveUrl}`)
    case 'silent':
      return unreachable(
        `The server at ${baseUrlOf(admin)} does not respond. If it is pet-mock, it may be busy: try again.`,
      )
    case 'unreachable':
      return unreachable(
        `No server can be reached at ${baseUrlOf(admin)} (${server.reason}). Start a pet-mock there, ${orGiveUrl}`,
      )
  }
}

interface Running extends RunFile {
  /** Empty if the plane requires a token. */
  readonly scenario: string
}

/** Finds the running servers, and removes the files of killed ones. */
async function findRunning(): Promise<readonly Running[]> {
  const asked = await Promise.all(
    (await readRunFiles()).map(async file => {
      const server = isRunning(file.pid) ? await identifyServer(file.admin) : undefined
      if (server === undefined || server.kind === 'unreachable') await removeRunFile(file.pid)
      return server?.kind === 'pet-mock' ? [{ ...file, scenario: server.scenario }] : []
    }),
  )
  // After a kill, another process may have the pid and another server the port: list each server once.
  return [...new Map(asked.flat().map(running => [running.admin, running])).values()]
}
