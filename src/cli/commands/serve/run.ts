import type { Run } from '../../arguments/command.ts'
import type { ServeValues } from '../../arguments/serve-flags.ts'
import { startServer } from '../../start/start-server.ts'
import { untilStopped } from '../../start/stop.ts'
import { exitCodes } from '../../terminal/io.ts'

export const run: Run<ServeValues> = async invocation => {
  const { values, io } = invocation
  const starting = await startServer(invocation)
  if (!starting.ok) return starting.exitCode
  const { facts, notices, reporter, close, contract } = starting.server
  let closeKeyboard: (() => void) | undefined
  const { stopped, stop } = untilStopped(io, graceMs => {
    closeKeyboard?.()
    return close(graceMs)
  })
  // Before the banner, which announces the keys.
  if (values['log-format'] === 'pretty' && io.isInteractive()) {
    const { listenToKeys } = await import('../../start/terminal-keys.ts')
    const isGuarded = facts.isAdminClosed || values['admin-token'] !== undefined
    closeKeyboard = listenToKeys(starting.server, { isGuarded, quit: stop, io })
  }
  reporter.ready({ ...facts, hasKeys: closeKeyboard !== undefined })
  for (const notice of notices) reporter.notice(notice)
  const isSaved = await stopped
  const verdict = await contract?.report()
  for (const note of verdict?.notes ?? []) reporter.notice(note)
  await reporter.end()
  return isSaved ? exitCodes.fine : exitCodes.notSaved
}
