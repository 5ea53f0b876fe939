import type { ScenarioState } from '../../library/client/controls.ts'
import { flagGroup } from '../arguments/flag.ts'
import { serveFlags } from '../arguments/serve-flags.ts'
import { serverCommand } from '../remote/server-command.ts'
import type { Session } from '../remote/session.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable, wrap } from '../terminal/printable.ts'

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
    const [name] = session.words
    if (name !== undefined) {
      const { loadScenario } = await import('./load-scenario.ts')
      return await loadScenario(session, name, changed => show(session, changed))
    }
    show(session, await session.ask('GET', '/scenario'))
    return exitCodes.fine
  },
})

const longestLine = 110

function show({ print, paint, io }: Session, state: ScenarioState): void {
  const width = Math.min(io.stdout.columns ?? longestLine, longestLine)
  print(state, ({ name, title, description, key }) => [
    `${paint('bold', printable(title))} ${paint('dim', `(${printable(name)})`)}  key ${printable(key)}`,
    ...wrap(printable(description ?? ''), width).map(line => paint('dim', line)),
  ])
}
