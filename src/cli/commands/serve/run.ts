import type { Run } from '../../arguments/command.ts'
import type { ServeValues } from '../../arguments/serve-flags.ts'
import { startServer } from '../../start/start-server.ts'
import { untilStopped } from '../../start/stop.ts'
import { exitCodes } from '../../terminal/io.ts'

export const run: Run<ServeValues> = async invocation => {
  const { values } = invocation
  const hasKeys = values['log-format'] === 'pretty' && invocation.io.isInteractive()
  const footer = hasKeys ? (await import('../../terminal/footer.ts')).createFooter(invocation.io) : undefined
  const { io } = footer ?? invocation
  const starting = await startServer({ ...invocation, io })
  if (!starting.ok) return starting.exitCode
  const { facts, notices, reporter, close, contract } = starting.server
  let closeKeyboard: (() => void) | undefined
  const { stopped, stop } = untilStopped(io, graceMs => {
    closeKeyboard?.()
    return close(graceMs)
  })
  // Before the banner, which announces the keys.
  if (footer !== undefined) {
    const { listenToKeys } = await import('../../start/terminal-keys.ts')
    closeKeyboard = listenToKeys(starting.server, { quit: stop, footer })
  }
  reporter.ready({ ...facts, hasKeys: closeKeyboard !== undefined })
  for (const notice of notices) reporter.notice(notice)
  const isSaved = await stopped
  const verdict = await contract?.report()
  for (const note of verdict?.notes ?? []) reporter.notice(note)
  await reporter.end()
  return isSaved ? exitCodes.fine : exitCodes.notSaved
}
