import { isNotRun, type NotRun, notRun } from '../not-run.ts'
import type { Processes } from '../processes.ts'
import { type RunningServer, type Server, startServer } from './server.ts'

/** One after the other, so that none disturbs another's start. A server that does not start is reported as not run. */
export async function startAll<Name extends string>(
  processes: Processes,
  servers: Readonly<Record<Name, Server | NotRun>>,
): Promise<Readonly<Record<Name, RunningServer | NotRun>>> {
  const started: [string, RunningServer | NotRun][] = []
  for (const [name, server] of Object.entries<Server | NotRun>(servers)) {
    started.push([name, isNotRun(server) ? server : await startServer(processes, server).catch(notRun)])
  }
  return Object.fromEntries(started) as Record<Name, RunningServer | NotRun>
}

export async function stopAll(servers: Readonly<Record<string, RunningServer | NotRun>>): Promise<void> {
  await Promise.all(Object.values(servers).map(server => (isNotRun(server) ? undefined : server.stop())))
}
