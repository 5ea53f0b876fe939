import { adminPath } from '../../doors/admin/routing/address.ts'
import { type RunFile, readRunFiles, removeRunFile } from '../start/run-files.ts'
import { isRunning } from '../start/state/state-lock.ts'
import { groupDigits } from '../terminal/group-digits.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'

/** Where the admin plane of the server is that is meant, or why it cannot be said, with the exit code for that. */
export type Found =
  | { readonly ok: true; readonly admin: string }
  | { readonly ok: false; readonly exitCode: number; readonly message: string }

/** How long a server may take to say that it is one, in milliseconds. */
const patienceMs = 2_000

/** The server at a URL, or the only one that runs on this machine. */
export async function findServer(url: URL | undefined): Promise<Found> {
  if (url !== undefined) return await checkUrl(adminUrlOf(url))
  const running = await findRunning()
  const [only] = running
  if (only !== undefined && running.length === 1) return { ok: true, admin: only.admin }
  if (only === undefined) return unreachable(`No pet-mock runs on this machine. Start one, ${orSayWhere}`)
  const list = running.map(
    ({ admin, scenario, pid }) =>
      `  --url ${baseUrlOf(admin)}  ${scenario === '' ? '' : `${printable(scenario)}, `}process ${pid}`,
  )
  const message = `${groupDigits(running.length)} servers run on this machine. Say which one is meant:`
  return { ok: false, exitCode: exitCodes.wrongUsage, message: [message, ...list].join('\n') }
}

const orSayWhere = 'or say where it is, such as --url http://127.0.0.1:7387/v1'

function unreachable(message: string): Found {
  return { ok: false, exitCode: exitCodes.unreachable, message }
}

/** From the base URL of an API, from where the plane is, or from what both begin with. */
export function adminUrlOf({ origin, pathname }: URL): string {
  const before = pathname.replace(/\/+$/, '').replace(/\/(?:v1|__admin(?:\/docs)?)$/, '')
  return `${origin}${before}${adminPath}`
}

function baseUrlOf(admin: string): string {
  return admin.slice(0, -adminPath.length)
}

async function checkUrl(admin: string): Promise<Found> {
  const health = await askHealth(admin)
  switch (health.kind) {
    case 'pet-mock':
      return { ok: true, admin }
    case 'another':
      return unreachable(`What answers at ${admin} is no pet-mock. Start one, ${orSayWhere}`)
    case 'silent':
      return unreachable(
        `What listens at ${baseUrlOf(admin)} does not answer. Is it a pet-mock, and at work?`,
      )
    case 'gone':
      return unreachable(
        `Nothing can be reached at ${baseUrlOf(admin)} (${health.reason}). Start a pet-mock there, ${orSayWhere}`,
      )
  }
}

interface Running extends RunFile {
  /** Empty where it is not told: the plane asks for a token. */
  readonly scenario: string
}

/** The servers that run. Files of those that were killed are taken away. */
async function findRunning(): Promise<readonly Running[]> {
  const asked = await Promise.all(
    (await readRunFiles()).map(async file => {
      const health = isRunning(file.pid) ? await askHealth(file.admin) : undefined
      if (health === undefined || health.kind === 'gone') await removeRunFile(file.pid)
      return health?.kind === 'pet-mock' ? [{ ...file, scenario: health.scenario }] : []
    }),
  )
  // Another server may have the port of one that was killed, whose number another process has.
  return [...new Map(asked.flat().map(running => [running.admin, running])).values()]
}

type Health =
  | { readonly kind: 'pet-mock'; readonly scenario: string }
  | { readonly kind: 'another' | 'silent' }
  | { readonly kind: 'gone'; readonly reason: string }

/** Who answers at the address of an admin plane. It is shown no token. */
export async function askHealth(admin: string): Promise<Health> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(`${admin}/health`, { signal, redirect: 'manual' })
    const text = await response.text()
    if (/^\{"code":"(?:invalid_admin_token|host_not_allowed)",/.test(text)) {
      return { kind: 'pet-mock', scenario: '' }
    }
    if (!/^\{"status":"ok","name":"pet-mock",/.test(text)) return { kind: 'another' }
    return { kind: 'pet-mock', scenario: String(JSON.parse(text).scenario) }
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'silent' }
    const cause = error instanceof Error ? error.cause : undefined
    // What takes a connection and does not speak HTTP.
    if (
      cause instanceof Error &&
      'code' in cause &&
      /^(?:HPE_|UND_ERR_SOCKET|ECONNRESET)/.test(`${cause.code}`)
    )
      return { kind: 'another' }
    return { kind: 'gone', reason: cause instanceof Error ? cause.message || cause.name : String(error) }
  }
}
