import type { Answer } from '../../library/client/ask-plane.ts'
import { flagGroup } from '../arguments/flag.ts'
import { serveFlags } from '../arguments/serve-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { loadFixtures } from '../start/load/load-from-flags.ts'
import { isFile, loadForServer } from '../start/load/load-scenario.ts'
import { typedPath } from '../start/load/typed-path.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable, wrap } from '../terminal/printable.ts'
import type { Session } from './server-command.ts'
import { serverCommand } from './server-command.ts'

export const scenario = serverCommand({
  name: 'scenario',
  words: '[NAME|FILE]',
  about: 'Shows the running scenario, or switches to another.',
  flags: { fixtures: flagGroup('Options:').flag(serveFlags.fixtures) },
  examples: [
    ['$0 scenario', 'the running scenario'],
    ['$0 scenario ban', 'a shipped scenario'],
    ['$0 scenario mine.yaml --sandbox worker-3', 'your own file, in one sandbox'],
  ],
  notes: [
    'The scenario starts from its beginning: pets, counters, bans, clock and rules. Without --sandbox, it applies to the default sandbox and to sandboxes that are created later.',
    'If the server has --fixtures, give the same directory here: a scenario file may name its keys.',
  ],
  act: async session => {
    const { words, values, ask, io } = session
    const [name] = words
    if (name === undefined) return show(session, await ask('getScenario'))
    const path = typedPath(name, io.env)
    if (!isFile(path)) return show(session, await ask('setScenario', { scenario: name }))
    const fixtures = await loadFixtures(values.fixtures, '--fixtures')
    const file = fixtures.ok ? await loadForServer(path, fixtures.value) : fixtures
    if (!file.ok) return refuseUsage(file.complaints, io)
    return show(session, await ask('setScenario', { scenario: file.value, name: path }))
  },
})

const longestLine = 110

function show({ print, paint, io }: Session, state: Answer<'getScenario'>): number {
  const width = Math.min(io.stdout.columns ?? longestLine, longestLine)
  print(state, ({ name, title, description, key }) => [
    `${paint('bold', printable(title))} ${paint('dim', `(${printable(name)})`)}  key ${printable(key)}`,
    ...wrap(printable(description ?? ''), width).map(line => paint('dim', line)),
  ])
  return exitCodes.fine
}
