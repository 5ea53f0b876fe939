import { isLoopback } from '../../base/text/loopback.ts'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { printable } from '../terminal/text.ts'
import { identifyServer } from './identify-server.ts'
import { type RunFile, readRunFiles, removeRunFile } from './run-files.ts'
import { describeOwner, isAlive, isRunning } from './state/lock-owner.ts'

export interface RunningServer extends RunFile {
  /** Empty if the plane requires a token, or does not respond. */
  readonly scenario: string
  /** Its process runs, but it does not respond in time. */
  readonly isBusy: boolean
}

/** How long a server of this user may take to answer, in milliseconds: on a busy machine, starting takes as long. */
const ownPatienceMs = 5_000

/** Finds the running servers of this user, and removes the files of servers that are gone. */
export async function findRunningServers(): Promise<readonly RunningServer[]> {
  const asked = await Promise.all(
    (await readRunFiles()).map(async file => {
      const server = isRunning(file.pid) ? await identifyServer(file.admin, ownPatienceMs) : undefined
      const start = server?.kind === 'pet-mock' ? server.start : undefined
      // After a kill, another process may have the pid, and another server the port.
      const isOther = start !== undefined && file.start !== undefined && start !== file.start
      if (server === undefined || server.kind === 'unreachable' || isOther) removeRunFile(file.pid)
      if (server?.kind === 'silent' && (await runs(file))) return [{ ...file, scenario: '', isBusy: true }]
      if (server?.kind !== 'pet-mock' || isOther) return []
      return [{ ...file, scenario: server.scenario, isBusy: false }]
    }),
  )
  // Files without a run of the server cannot be compared: list each server once.
  return [...new Map(asked.flat().map(running => [running.admin, running])).values()]
}

/**
 * Identifies the server at the URL of an admin plane. If none speaks HTTP there, it may be one of this user with TLS, or at
 * another loopback address: its run file knows.
 */
export async function locateServer(admin: string) {
  const server = await identifyServer(admin)
  const { hostname, port } = new URL(admin)
  if (server.kind !== 'not-http' && server.kind !== 'unreachable') return { admin, server }
  if (!isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')) || port === '') return { admin, server }
  const own = (await findRunningServers()).find(one => new URL(one.admin).port === port)
  return own === undefined ? { admin, server } : { admin: own.admin, server: await identifyServer(own.admin) }
}

/** Whether the very process that wrote the file runs: after a kill, another one may have its pid. */
async function runs({ owner }: RunFile): Promise<boolean> {
  return owner !== undefined && (await isAlive(owner, await describeOwner(process.pid))) === true
}

/** Where a server runs, without the path of its admin plane. */
export function originOf(admin: string): string {
  return admin.slice(0, -adminPath.length)
}

/** What a person needs to choose a server. */
export function describeServer({ scenario, pid, isBusy }: RunningServer): string {
  const what = isBusy ? 'does not respond' : printable(scenario)
  return `${what === '' ? '' : `${what}, `}process ${pid}`
}

export function listChoices(running: readonly RunningServer[]): readonly string[] {
  return running.map(server => `  --url ${originOf(server.admin)}  ${describeServer(server)}`)
}
