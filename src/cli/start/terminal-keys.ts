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
import { type Choice, createChoiceList, createListPlace, type ListPlace } from '../terminal/choice-list.ts'
import type { Footer } from '../terminal/footer.ts'
import type { Environment } from '../terminal/io.ts'
import { createPaint, formatPace, printable } from '../terminal/text.ts'
import { openKeyboard } from './keyboard.ts'
import { isFile, loadForServer } from './load/load-scenario.ts'
import { listScenarioFiles } from './load/scenario-folder.ts'
import type { StartedServer } from './start-server.ts'

/** Controls the server by single keys of the terminal. Each key prints one line. Returns what `openKeyboard` does. */
export function listenToKeys(server: StartedServer, options: KeyOptions): (() => void) | undefined {
  const { io } = options.footer
  const list = createListPlace(options.footer)
  const keys = createKeys(server, options, list)
  const closeKeyboard = openKeyboard(key => {
    const name = key.toLowerCase()
    if (list.press(key)) return
    if (Object.hasOwn(keys, name)) keys[name]?.press()
    // Enter makes room in the log.
    else if (key === '\r' || key === '\n') io.stdout.write('\n')
  })
  if (closeKeyboard === undefined) return undefined
  return () => {
    list.close()
    closeKeyboard()
  }
}

interface KeyOptions {
  readonly quit: () => void
  /** The log goes on above it. */
  readonly footer: Footer
}

interface Key {
  readonly about: string
  readonly press: () => void
}

/** The keys act on the default sandbox, which serves keys without a suffix. They are in the order of the help. */
function createKeys(
  { emulator: { sandboxes }, fixtures, facts }: StartedServer,
  { quit, footer: { io } }: KeyOptions,
  list: Pick<ListPlace, 'open'>,
): Readonly<Record<string, Key>> {
  const paint = createPaint(io.stdout)
  const print = (text: string) => {
    io.stdout.write(`${paint('cyan', '›')} ${printable(text)}\n`)
  }
  const change = createChange(sandboxes, fixtures, 'server')
  /** Prints the result, or why the command was refused. */
  const apply = (command: Command, result: (world: World, now: number) => string) => {
    const now = Date.now()
    sandboxes.note(now)
    // Without a sandbox name, a new scenario also applies to sandboxes created later.
    const outcome = change(undefined, command, now)
    print(outcome.ok ? result(sandboxes.default, now) : outcome.refusal.message)
  }
  const switchTo = async (name: string) => {
    const shipped = shippedScenarios.has(name)
    const choice = shipped ? { ok: true as const, value: name } : await loadForServer(name, fixtures)
    if (choice.ok)
      apply(
        { do: 'useScenario', scenario: choice.value, name },
        ({ scenario }) => `Scenario ${scenario.name}: ${scenario.title}. Its key is ${scenario.key}.`,
      )
    else for (const complaint of choice.complaints) print(complaint)
  }
  const chooseScenario = () => {
    if (io.env.TERM === 'dumb')
      return print('This terminal cannot show a list. In another terminal, run pet-mock scenarios use NAME.')
    const choices = openScenarioList(facts.scenario.name, sandboxes.default.scenario.name)
    list.open(choices, name => void switchTo(name))
  }
  const toggleBan = () => {
    const { scenario, keys, clock } = sandboxes.default
    const { key } = scenario
    const strikes = keys.get(key)?.strikes
    const { bans } = scenario.behaviour
    if (strikes && readStrikes(strikes, readClock(clock, Date.now()), bans).bannedUntil !== undefined)
      return apply({ do: 'unbanKey', key }, () => `Lifted the ban of ${key}.`)
    apply({ do: 'banKey', key }, ({ keys }) => {
      const until = keys.get(key)?.strikes.bannedUntil
      return `Banned ${key}${until === undefined ? '' : ` until ${formatInstant(until)}`}.`
    })
  }
  const openDashboard = () => {
    const page = `${adminUrl(facts)}/`
    print(`Opening ${page}`)
    openInBrowser(page, io.env, () => print(`No browser opened. Open this page yourself: ${page}`))
  }
  const toggleClock = () =>
    apply({ do: sandboxes.default.clock.scale === 0 ? 'resumeClock' : 'freezeClock' }, formatClock)
  const help = () => {
    for (const [key, { about }] of Object.entries(keys)) print(`${key}  ${about}`)
  }
  const leave = () => {
    print('Quitting.')
    quit()
  }
  const restart = () => apply({ do: 'reset' }, ({ scenario }) => `Restarted ${scenario.name}.`)
  const advance = () => apply({ do: 'advanceClock', by: '60s' }, formatClock)
  const keys: Readonly<Record<string, Key>> = {
    r: { about: 'restart the scenario', press: restart },
    t: { about: 'move the clock forward 60 s', press: advance },
    f: { about: 'freeze or resume the clock', press: toggleClock },
    s: { about: 'choose a scenario from a list', press: chooseScenario },
    b: { about: "ban the scenario's key, or lift its ban", press: toggleBan },
    o: { about: 'open the dashboard in a browser', press: openDashboard },
    h: { about: 'show this help', press: help },
    q: { about: 'quit', press: leave },
  }
  return keys
}

function formatClock({ clock }: World, now: number): string {
  return `Clock: ${formatInstant(readClock(clock, now))}, ${formatPace(clock)}.`
}

/**
 * The shipped scenarios, and the files beside the one that the server started with, else those of the usual folder.
 * `started`: the scenario of the start. `current`: that of now.
 */
function openScenarioList(started: string, current: string) {
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
