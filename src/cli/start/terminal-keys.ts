import { readClock } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { createChange } from '../../control/change/change.ts'
import type { Command } from '../../control/scenario/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { adminUrl } from '../../doors/server/base-url.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { readStrikes } from '../../service/bans/ban.ts'
import type { Io } from '../terminal/io.ts'
import { openKeyboard } from '../terminal/keyboard.ts'
import { openInBrowser } from '../terminal/open-in-browser.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { formatPace } from '../terminal/quantities.ts'
import type { StartedServer } from './start-server.ts'

/** What the keys act on. */
interface Controls {
  /** Whether the admin plane requires a token. */
  readonly isGuarded: boolean
  readonly quit: () => void
  readonly io: Pick<Io, 'env' | 'stdout'>
  /** The default sandbox, which serves keys without a suffix. */
  readonly world: () => World
  /** Applies a command. Prints the result, or why the command was refused. */
  readonly apply: (command: Command, result: (world: World, now: number) => string) => void
  readonly print: (text: string) => void
  /** URL of the admin page. */
  readonly page: string
}

/** Controls the server by single keys of the terminal. Each key prints one line. Returns what `openKeyboard` does. */
export function listenToKeys(server: StartedServer, options: KeyOptions): (() => void) | undefined {
  const controls = createControls(server, options)
  return openKeyboard(key => {
    const name = key.toLowerCase()
    if (Object.hasOwn(keys, name)) keys[name]?.press(controls)
    // Enter makes room in the log.
    else if (key === '\r' || key === '\n') options.io.stdout.write('\n')
  })
}

function createControls(
  { emulator: { sandboxes }, fixtures, facts }: StartedServer,
  options: KeyOptions,
): Controls {
  const paint = createPaint(options.io.stdout)
  const print = (text: string) => {
    options.io.stdout.write(`${paint('cyan', '›')} ${printable(text)}\n`)
  }
  const change = createChange(sandboxes, fixtures, 'server')
  return {
    ...options,
    world: () => sandboxes.default,
    apply: (command, result) => {
      const now = Date.now()
      sandboxes.time.note(now)
      // Without a sandbox name, a new scenario also applies to sandboxes created later.
      const outcome = change(undefined, command, now)
      print(outcome.ok ? result(sandboxes.default, now) : outcome.refusal.message)
    },
    print,
    page: `${adminUrl(facts.host, facts.port)}/`,
  }
}

type KeyOptions = Pick<Controls, 'isGuarded' | 'quit' | 'io'>

interface Key {
  readonly about: string
  readonly press: (controls: Controls) => void
}

/** In the order of the help. */
const keys: Readonly<Record<string, Key>> = {
  r: {
    about: 'restart the scenario',
    press: ({ apply }) => apply({ do: 'reset' }, ({ scenario }) => `Restarted ${scenario.name}.`),
  },
  t: {
    about: 'move the clock forward 60 s',
    press: ({ apply }) => apply({ do: 'advanceClock', by: '60s' }, formatClock),
  },
  f: {
    about: 'freeze or resume the clock',
    press: ({ apply, world }) =>
      apply({ do: world().clock.scale === 0 ? 'resumeClock' : 'freezeClock' }, formatClock),
  },
  s: { about: 'switch to the next scenario', press: switchScenario },
  b: { about: "ban the scenario's key, or lift its ban", press: toggleBan },
  o: { about: 'open the admin page in a browser', press: openAdminPage },
  h: {
    about: 'show this help',
    press: ({ print }) => {
      for (const [key, { about }] of Object.entries(keys)) print(`${key}  ${about}`)
    },
  },
  q: {
    about: 'quit',
    press: ({ print, quit }) => {
      print('Quitting.')
      quit()
    },
  },
}

function formatClock({ clock }: World, now: number): string {
  return `Clock: ${formatInstant(readClock(clock, now))}, ${formatPace(clock)}.`
}

function switchScenario({ apply, world }: Controls): void {
  const names = [...shippedScenarios.keys()]
  const next = names[(names.indexOf(world().scenario.name) + 1) % names.length] ?? ''
  apply(
    { do: 'setScenario', scenario: next },
    ({ scenario }) => `Scenario ${scenario.name}: ${scenario.title}. Its key is ${scenario.key}.`,
  )
}

function toggleBan({ apply, world }: Controls): void {
  const { scenario, keys, clock } = world()
  const { key } = scenario
  const strikes = keys.get(key)?.strikes
  if (strikes && readStrikes(strikes, readClock(clock, Date.now())).bannedUntil !== undefined) {
    apply({ do: 'unbanKey', key }, () => `Lifted the ban of ${key}.`)
    return
  }
  apply({ do: 'banKey', key }, ({ keys }) => {
    const until = keys.get(key)?.strikes.bannedUntil
    return `Banned ${key}${until === undefined ? '' : ` until ${formatInstant(until)}`}.`
  })
}

function openAdminPage({ isGuarded, print, page, io }: Controls): void {
  if (isGuarded) {
    print('The browser cannot open the admin page, because this server requires an admin token.')
    return
  }
  print(`Opening ${page}`)
  openInBrowser(page, io.env, () => print(`No browser opened. Open this page yourself: ${page}`))
}
