import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { readClock } from '../../base/time/clock.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { createChange } from '../../control/change/change.ts'
import type { Command } from '../../control/scenario/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { adminUrl } from '../../doors/server/base-url.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { readStrikes } from '../../service/bans/ban.ts'
import {
  type Choice,
  type ChoiceList,
  createChoiceList,
  createListPlace,
  type ListPlace,
} from '../terminal/choice-list.ts'
import type { Footer } from '../terminal/footer.ts'
import type { Environment, Io } from '../terminal/io.ts'
import { openKeyboard } from '../terminal/keyboard.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { formatPace } from '../terminal/quantities.ts'
import { isFile, loadForServer } from './load/load-scenario.ts'
import { listScenarioFiles } from './load/scenario-folder.ts'
import type { StartedServer } from './start-server.ts'

interface Controls {
  readonly quit: () => void
  readonly io: Pick<Io, 'env' | 'stdout'>
  /** The default sandbox, which serves keys without a suffix. */
  readonly world: () => World
  /** Applies a command. Prints the result, or why the command was refused. */
  readonly apply: (command: Command, result: (world: World, now: number) => string) => void
  readonly chooseScenario: () => void
  readonly print: (text: string) => void
  /** URL of the dashboard. */
  readonly page: string
}

/** Controls the server by single keys of the terminal. Each key prints one line. Returns what `openKeyboard` does. */
export function listenToKeys(server: StartedServer, options: KeyOptions): (() => void) | undefined {
  const list = createListPlace(options.footer)
  const controls = createControls(server, options, list)
  const closeKeyboard = openKeyboard(key => {
    const name = key.toLowerCase()
    if (list.press(key)) return
    if (Object.hasOwn(keys, name)) keys[name]?.press(controls)
    // Enter makes room in the log.
    else if (key === '\r' || key === '\n') options.footer.io.stdout.write('\n')
  })
  return (
    closeKeyboard &&
    (() => {
      list.close()
      closeKeyboard()
    })
  )
}

function createControls(
  { emulator: { sandboxes }, fixtures, facts }: StartedServer,
  options: KeyOptions,
  list: Pick<ListPlace, 'open'>,
): Controls {
  const { io } = options.footer
  const paint = createPaint(io.stdout)
  const print = (text: string) => {
    io.stdout.write(`${paint('cyan', '›')} ${printable(text)}\n`)
  }
  const change = createChange(sandboxes, fixtures, 'server')
  const apply: Controls['apply'] = (command, result) => {
    const now = Date.now()
    sandboxes.time.note(now)
    // Without a sandbox name, a new scenario also applies to sandboxes created later.
    const outcome = change(undefined, command, now)
    print(outcome.ok ? result(sandboxes.default, now) : outcome.refusal.message)
  }
  const switchTo = async (name: string) => {
    const shipped = shippedScenarios.has(name)
    const choice = shipped ? { ok: true as const, value: name } : await loadForServer(name, fixtures)
    if (choice.ok) apply({ do: 'setScenario', scenario: choice.value, name }, formatScenario)
    else for (const complaint of choice.complaints) print(complaint)
  }
  return {
    ...options,
    io,
    world: () => sandboxes.default,
    apply,
    chooseScenario: () => {
      if (io.env.TERM === 'dumb') {
        print('This terminal cannot show a list. Use pet-mock scenario NAME instead.')
        return
      }
      const choices = openScenarioList(facts.scenario.name, sandboxes.default.scenario.name)
      list.open(choices, name => void switchTo(name))
    },
    print,
    page: `${adminUrl(facts)}/`,
  }
}

interface KeyOptions extends Pick<Controls, 'quit'> {
  /** The log goes on above it. */
  readonly footer: Footer
}

interface Key {
  readonly about: string
  readonly press: (controls: Controls) => void
}

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
  s: { about: 'choose a scenario from a list', press: ({ chooseScenario }) => chooseScenario() },
  b: { about: "ban the scenario's key, or lift its ban", press: toggleBan },
  o: { about: 'open the dashboard in a browser', press: openDashboard },
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

function formatScenario({ scenario }: World): string {
  return `Scenario ${scenario.name}: ${scenario.title}. Its key is ${scenario.key}.`
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

function openDashboard({ print, page, io }: Controls): void {
  print(`Opening ${page}`)
  openInBrowser(page, io.env, () => print(`No browser opened. Open this page yourself: ${page}`))
}

/**
 * The shipped scenarios, and the files beside the one that the server started with, else those of the usual folder.
 * `started`: the scenario of the start. `current`: that of now.
 */
function openScenarioList(started: string, current: string): ChoiceList {
  const shipped = Array.from(shippedScenarios, ([name, { title }]) => ({ name, about: title ?? '' }))
  const files = isFile(started) ? [started, ...listScenarioFiles(dirname(started))] : listScenarioFiles()
  const own = [...new Set(files)].map((name): Choice => ({ name, about: 'your own scenario' }))
  return createChoiceList('Scenario', [...own, ...shipped], current)
}

/** Opens a page in the browser that `BROWSER` names, else in the default browser. */
function openInBrowser(page: string, { BROWSER }: Environment, onFailure: () => void): void {
  const [program, ...args] = opener(page, BROWSER)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', onFailure)
  child.on('exit', code => {
    if (code !== 0) onFailure()
  })
  child.unref()
}

function opener(page: string, browser = ''): readonly [program: string, ...args: string[]] {
  if (browser !== '') return [browser, page]
  switch (process.platform) {
    case 'darwin':
      return ['open', page]
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', page]
    default:
      return ['xdg-open', page]
  }
}
