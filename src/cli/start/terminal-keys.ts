import { readClock } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Command } from '../../control/change/command.ts'
import type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
import { createChange } from '../../control/scenario/scenario-commands.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { adminUrl } from '../../doors/server/base-url.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { isBanned } from '../../service/bans/ban.ts'
import { formatPace } from '../terminal/clock-pace.ts'
import type { Io } from '../terminal/io.ts'
import { type Keyboard, openKeyboard } from '../terminal/keyboard.ts'
import { openInBrowser } from '../terminal/open-in-browser.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import type { StartedServer } from './start-server.ts'

export interface KeyOptions {
  /** Whether the admin plane asks for a token. */
  readonly isGuarded: boolean
  readonly quit: () => void
  readonly io: Pick<Io, 'env' | 'stdout'>
}

type AnyCommand = Command<ScenarioFile, RuleFields>

/** What each key does, in the order of the help. All is about the default sandbox, where a key without a suffix calls. */
const keys: readonly (readonly [key: string, about: string])[] = [
  ['r', 'reset: start the scenario anew'],
  ['t', 'move the clock forward 60 s'],
  ['f', 'freeze the clock, or let it run'],
  ['s', 'the next scenario'],
  ['b', "ban the scenario's key, or lift its ban"],
  ['o', 'open the admin page in a browser'],
  ['h', 'this help'],
  ['q', 'quit'],
]

/** Listens to the keys of the terminal, does what each is for, and says in a line what it did. */
export function listenToKeys(server: StartedServer, options: KeyOptions): Keyboard | undefined {
  return openKeyboard(createActions(server, options))
}

function createActions(
  { emulator: { sandboxes }, fixtures, facts }: StartedServer,
  { isGuarded, quit, io }: KeyOptions,
): (key: string) => void {
  const paint = createPaint(io.stdout)
  const tell = (text: string) => {
    io.stdout.write(`${text === '' ? '' : `${paint('cyan', '›')} ${printable(text)}`}\n`)
  }
  const page = `${adminUrl(facts.host, facts.port)}/`
  const change = createChange(sandboxes, fixtures)

  /** Does a command, and tells what came of it, or why nothing did. */
  const act = (command: AnyCommand, done: (world: World, now: number) => string) => {
    const now = Date.now()
    // A scenario that is set for no sandbox by name is what new ones start from, too.
    const outcome = change(undefined, command, now)
    tell(outcome.ok ? done(sandboxes.default, now) : outcome.refusal.message)
  }
  const clockOf = ({ clock }: World, now: number) =>
    `${formatInstant(readClock(clock, now))}, ${formatPace(clock)}`

  const actions: Readonly<Record<string, () => void>> = {
    h: () => {
      for (const [key, about] of keys) tell(`${key}  ${about}`)
    },
    q: () => {
      tell('Quitting.')
      quit()
    },
    r: () => act({ do: 'reset' }, ({ scenario }) => `Reset: ${scenario.name} starts anew.`),
    t: () => act({ do: 'advanceClock', by: '60s' }, (world, now) => `60 s later: ${clockOf(world, now)}.`),
    f: () => {
      const isFrozen = sandboxes.default.clock.scale === 0
      act(
        { do: isFrozen ? 'resumeClock' : 'freezeClock' },
        (world, now) => `The clock: ${clockOf(world, now)}.`,
      )
    },
    s: () => {
      const names = [...shippedScenarios.keys()]
      const next = names[(names.indexOf(sandboxes.default.scenario.name) + 1) % names.length] ?? ''
      act(
        { do: 'setScenario', scenario: next },
        ({ scenario }) => `Scenario ${scenario.name}: ${scenario.title}, with the key ${scenario.key}.`,
      )
    },
    b: () => {
      const { scenario, keys, clock } = sandboxes.default
      const { key } = scenario
      const strikes = keys.get(key)?.strikes
      if (strikes !== undefined && isBanned(strikes, readClock(clock, Date.now()))) {
        act({ do: 'unbanKey', key }, () => `The ban of ${key} is lifted.`)
        return
      }
      act({ do: 'banKey', key }, ({ keys }) => {
        const until = keys.get(key)?.strikes.bannedUntil
        return `${key} is banned${until === undefined ? '' : ` until ${formatInstant(until)}`}.`
      })
    },
    o: () => {
      if (isGuarded) {
        tell('The admin plane asks for a token, which a browser does not have.')
        return
      }
      tell(`Opening ${page}`)
      openInBrowser(page, io.env, () => tell(`No browser could be opened: ${page}`))
    },
  }

  return key => {
    const name = key.toLowerCase()
    if (Object.hasOwn(actions, name)) actions[name]?.()
    // Whoever presses Enter wants some room in the log.
    else if (key === '\r' || key === '\n') tell('')
  }
}
