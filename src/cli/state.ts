import type { Emulator } from '../emulator/emulator.ts'
import type { Sandboxes } from '../emulator/sandboxes.ts'
import { keepState, type StateKeeper } from './keep-state.ts'
import type { Loading, ServeFlagValues } from './load-scenario.ts'
import type { Reporter } from './reporter.ts'
import { type Restored, restoreState } from './restore-state.ts'
import { openStateFile } from './state-file.ts'

/** What --state is for: before the server starts, everything as it was; from then on, everything kept. */
export interface State {
  /** Undefined when nothing was saved yet. */
  readonly restore: (sandboxes: Sandboxes) => Restored | undefined
  readonly keep: (emulator: Emulator, reporter: Pick<Reporter, 'notice' | 'failure'>) => StateKeeper
}

/** Reads the file and changes nothing, neither in it nor in a sandbox. */
export async function openState(name: string, flags: ServeFlagValues, pid: number): Promise<Loading<State>> {
  const opening = await openStateFile(name, flags.sources.state, pid)
  if (!opening.ok) return opening
  const { snapshot, ...file } = opening.value
  let isSaved = false
  const state: State = {
    restore: sandboxes => {
      const restored = snapshot && restoreState(name, snapshot, sandboxes, flags, Date.now())
      isSaved = restored?.isAsSaved ?? false
      return restored
    },
    keep: (emulator, reporter) => keepState({ emulator, file, reporter, isSaved }),
  }
  return { ok: true, value: state }
}
