import { adminPath } from '../../doors/admin/routing/address.ts'
import { printable } from '../terminal/printable.ts'
import { identifyServer } from './identify-server.ts'
import { type RunFile, readRunFiles, removeRunFile } from './run-files.ts'
import { isRunning } from './state/lock-owner.ts'

/** A server of this user that answers. */
export interface RunningServer extends RunFile {
  /** Empty if the plane requires a token. */
  readonly scenario: string
}

/** Finds the running servers of this user, and removes the files of servers that are gone. */
export async function findRunningServers(): Promise<readonly RunningServer[]> {
  const asked = await Promise.all(
    (await readRunFiles()).map(async file => {
      const server = isRunning(file.pid) ? await identifyServer(file.admin) : undefined
      const isOther = server?.kind === 'pet-mock' && isAnotherRun(server.start, file)
      if (server === undefined || server.kind === 'unreachable' || isOther) await removeRunFile(file.pid)
      return server?.kind === 'pet-mock' && !isOther ? [{ ...file, scenario: server.scenario }] : []
    }),
  )
  // Files without a run of the server cannot be compared: list each server once.
  return [...new Map(asked.flat().map(running => [running.admin, running])).values()]
}

/** After a kill, another process may have the pid, and another server the port. */
function isAnotherRun(start: string | undefined, file: RunFile): boolean {
  return start !== undefined && file.start !== undefined && start !== file.start
}

/** Where a server runs, without the path of its admin plane. */
export function originOf(admin: string): string {
  return admin.slice(0, -adminPath.length)
}

/** What a person needs to choose a server. */
export function describeServer({ scenario, pid }: RunningServer): string {
  return `${scenario === '' ? '' : `${printable(scenario)}, `}process ${pid}`
}

/** A line for each server, to choose one by its flag. */
export function listChoices(running: readonly RunningServer[]): readonly string[] {
  return running.map(server => `  --url ${originOf(server.admin)}  ${describeServer(server)}`)
}
