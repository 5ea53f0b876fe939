import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { command, type Run } from '../arguments/command.ts'
import { type ServeValues, serveFlags } from '../arguments/serve-flags.ts'
import { startServer } from '../start/start-server.ts'
import { untilStopped } from '../start/stop.ts'
import { exitCodes } from '../terminal/io.ts'

const run: Run<ServeValues> = async invocation => {
  const { values } = invocation
  const hasKeys = values['log-format'] === 'pretty' && invocation.io.isInteractive()
  const footer = hasKeys ? (await import('../terminal/footer.ts')).createFooter(invocation.io) : undefined
  const { io } = footer ?? invocation
  const starting = await startServer({ ...invocation, io })
  if (!starting.ok) return starting.exitCode
  const { facts, notices, reporter, close, contract, box } = starting.server
  let closeKeyboard: (() => void) | undefined
  const { stopped, stop } = untilStopped(io, graceMs => {
    closeKeyboard?.()
    return close(graceMs)
  })
  // Before the banner, which announces the keys.
  if (footer !== undefined) {
    const { listenToKeys } = await import('../start/terminal-keys.ts')
    closeKeyboard = listenToKeys(starting.server, { quit: stop, footer })
  }
  reporter.ready({ ...facts, hasKeys: closeKeyboard !== undefined })
  for (const notice of notices) reporter.notice(notice)
  const isSaved = await stopped
  const verdict = await contract?.report()
  for (const note of verdict?.notes ?? []) reporter.notice(note)
  await reporter.end()
  const exitCode = isSaved ? exitCodes.fine : exitCodes.notSaved
  return box === undefined ? exitCode : (await import('../box/box-file.ts')).endBox(box, true, exitCode, io)
}

export const serve = command({
  name: 'serve',
  isDefault: true,
  about: 'Serves the Pet Adoption Service with limits and bans.',
  flags: serveFlags,
  readsProject: true,
  examples: [
    ['$0', 'the service with the free plan'],
    ['$0 -s rate-limit-exhaustion', 'three calls left in this minute'],
    ['$0 --clock 2030-12-04T23:59:30Z', '30 s before getPet is removed'],
    ['$0 --add-key my-app=pro --port 0', 'your own key, on a free port'],
  ],
  notes: [
    `Shipped scenarios: ${[...shippedScenarios.keys()].join(', ')}.`,
    'Each flag overrides an environment variable: --port overrides PET_MOCK_PORT, --allowed-hosts overrides PET_MOCK_ALLOWED_HOSTS. PET_MOCK_ADD_KEY takes several keys, separated by commas.',
    'A project file pet-mock.yaml, here or above, may have the names of flags as keys, such as port: 7400. The environment overrides it.',
  ],
  // The most frequent command imports everything at once.
  load: async () => ({ run }),
})
