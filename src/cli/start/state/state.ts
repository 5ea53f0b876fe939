import { resolve } from 'node:path'
import { formatCount } from '../../../base/text/quantities.ts'
import { restoreSandboxes } from '../../../control/snapshot/restore.ts'
import type { SandboxesSnapshot } from '../../../control/snapshot/saved.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { serveFlags } from '../../arguments/serve-flags.ts'
import type { Reporter } from '../../log/reporter.ts'
import type { Io } from '../../terminal/io.ts'
import type { ServeFlagValues } from '../load/load-from-flags.ts'
import { keepState, type StateKeeper } from './keep-state.ts'
import { type Opening, openStateFile } from './state-file.ts'

/** The state of --state: restored before the server starts, saved from then on. */
export interface State {
  /** Replaces the sandboxes by the saved ones. Returns undefined if nothing was saved yet. */
  readonly restore: (sandboxes: Sandboxes) => Restored | undefined
  /** Saves changes once it begins. Its end also unlocks the file. */
  readonly keep: (emulator: Emulator, reporter: Pick<Reporter, 'notice' | 'failure'>) => StateKeeper
  /** Unlocks the file of a server that did not start. */
  readonly release: () => Promise<void>
}

interface Restored {
  /** One line for the user. */
  readonly text: string
  /** The sandboxes run the scenario of the flags. */
  readonly isAsAsked: boolean
  /** The sandboxes equal the saved ones. */
  readonly isAsSaved: boolean
}

/** Locks and reads the file. Changes neither the file nor a sandbox. */
export async function openState(
  name: string,
  flags: ServeFlagValues,
  { pid, stderr }: Pick<Io, 'pid' | 'stderr'>,
): Promise<Opening<State>> {
  const onNotice = (text: string) => stderr.write(`${text}\n`)
  const opening = await openStateFile(name, flags.sources.state, pid, onNotice)
  if (!opening.ok) return opening
  const { snapshot, release, ...file } = opening.value
  let isSaved = false
  const state: State = {
    restore: sandboxes => {
      const restored = snapshot && restore(name, snapshot, sandboxes, flags)
      isSaved = restored?.isAsSaved ?? false
      return restored
    },
    keep: (emulator, reporter) => {
      const keeper = keepState(emulator, file, reporter, isSaved)
      return { ...keeper, end: () => keeper.end().finally(release) }
    },
    release,
  }
  return { ok: true, value: state }
}

/** The flags that describe how a sandbox starts. */
const startFlags = [
  'scenario',
  'fixtures',
  'pets',
  'seed',
  'clock',
  'key',
  'watch',
] as const satisfies (keyof typeof serveFlags)[]

/**
 * Replaces the sandboxes by the saved ones, which override the flags. If the flags name the saved scenario and it has
 * changed since, the new version is adopted as with `--watch`.
 */
function restore(
  name: string,
  snapshot: SandboxesSnapshot,
  sandboxes: Sandboxes,
  { given, sources }: ServeFlagValues,
): Restored {
  const asked = sandboxes.scenario
  const [scenario, worlds, dropped] = restoreSandboxes(snapshot, [asked])
  sandboxes.replaceAll(scenario, worlds, dropped)
  const others = worlds.length - 1
  const what = [
    scenario.name,
    formatCount(sandboxes.default.pets.size, 'pet'),
    ...(others === 0 ? [] : [formatCount(others, 'more sandbox', 'more sandboxes')]),
  ]
  const text = `Restored from ${name}: ${what.join(', ')}.`
  if (scenario === asked) return { text, isAsAsked: true, isAsSaved: true }
  const ignored = startFlags.filter(flag => given.has(flag))
  if (ignored.length > 0 && resolve(scenario.name) === resolve(asked.name)) {
    sandboxes.adopt(asked, Date.now())
    const how = asked.reset
      ? 'has changed and says reset: true, so every sandbox starts over.'
      : 'has changed: its settings, plans, keys and rules apply now; pets, counters and the clock continue.'
    return { text: `${text} ${asked.name} ${how}`, isAsAsked: true, isAsSaved: false }
  }
  const flags = ignored.map(flag => withoutPlace(sources[flag])).join(', ')
  const how =
    flags === ''
      ? ''
      : ` Ignored ${flags}: ${name} takes precedence. To use ${ignored.length === 1 ? 'it' : 'them'}, name another state file.`
  return { text: `${text}${how}`, isAsAsked: false, isAsSaved: true }
}

/** `scenario in pet-mock.yaml` for `pet-mock.yaml:3:1: scenario`. */
function withoutPlace(source: string): string {
  return source.replace(/^(.*):\d+:\d+: (.*)$/, '$2 in $1')
}
