import type { Emulator } from '../../../emulator/emulator.ts'
import type { Sandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { Reporter } from '../../log/reporter.ts'
import type { ServeFlagValues } from '../load/load-scenario.ts'
import { keepState, type StateKeeper } from './keep-state.ts'
import { type Restored, restoreState } from './restore-state.ts'
import { type Opening, openStateFile } from './state-file.ts'

/** What --state is for: before the server starts, everything as it was; from then on, everything kept. */
export interface State {
  /** Undefined when nothing was saved yet. */
  readonly restore: (sandboxes: Sandboxes) => Restored | undefined
  /** Saves what changes, from now on; at its end, another server may have the file. */
  readonly keep: (emulator: Emulator, reporter: Pick<Reporter, 'notice' | 'failure'>) => StateKeeper
  /** Lets another server have the file, when this one does not start. */
  readonly release: () => Promise<void>
}

/** Reads the file and changes nothing, neither in it nor in a sandbox. */
export async function openState(name: string, flags: ServeFlagValues, pid: number): Promise<Opening<State>> {
  const opening = await openStateFile(name, flags.sources.state, pid)
  if (!opening.ok) return opening
  const { snapshot, release, ...file } = opening.value
  let isSaved = false
  const state: State = {
    restore: sandboxes => {
      const restored = snapshot && restoreState(name, snapshot, sandboxes, flags, Date.now())
      isSaved = restored?.isAsSaved ?? false
      return restored
    },
    keep: (emulator, reporter) => {
      const keeper = keepState({ emulator, file, reporter, isSaved })
      return { end: () => keeper.end().finally(release) }
    },
    release,
  }
  return { ok: true, value: state }
}
