import { formatInstant } from '../../../base/time/instant.ts'
import { captureSandboxes } from '../../../control/snapshot/take.ts'
import { writeSandboxes } from '../../../control/snapshot/write.ts'
import type { SaveState } from '../../../doors/admin/routing/route-context.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Reporter } from '../../log/reporter.ts'
import { createSaver, type Saving } from './saver.ts'
import { type StateFile, StateTaken } from './state-file.ts'

/** How often it checks for changes, in milliseconds. */
const lookMs = 100
/** The longest that a change waits, in milliseconds, unless saving would take more than `share`. */
const freshMs = 1_000
/** The share of time that saving may take from calls. */
const share = 0.05
/** The most that a save may start early, in milliseconds. */
const mostAheadMs = 250

export interface StateKeeper {
  /** Starts saving changes. */
  readonly begin: () => void
  readonly saveNow: SaveState
  /** Saves the latest changes and stops. Resolves with false if the file lacks some of them. */
  readonly end: () => Promise<boolean>
}

/**
 * Saves all sandboxes after changes: about once a second, and less often if that would take more than 5 % of the time from
 * calls. A failure is reported once and retried, while the server keeps running. If the last save fails, the state goes to
 * a second place. `isSaved`: the file holds the current state.
 */
export function keepState(
  emulator: Pick<Emulator, 'sandboxes' | 'revision'>,
  file: Pick<StateFile, 'name' | 'path' | 'write' | 'writeElsewhere'>,
  reporter: Pick<Reporter, 'notice' | 'failure'>,
  isSaved: boolean,
): StateKeeper {
  const saver = createSaver(emulator, file, isSaved)
  let isFailing = false
  let isEnded = false
  let timer: NodeJS.Timeout | undefined

  const save = async (): Promise<Saving> => {
    const saving = await saver.save()
    if (saving.ok) {
      if (isFailing) reporter.notice(`Saving ${file.name} works again.`)
    } else if (!isExpected(saving.error)) reporter.failure(saving.error)
    else if (!isFailing && !isEnded) {
      const outlook = saving.error instanceof StateTaken ? 'no longer saves' : 'tries again to save'
      reporter.notice(`${saving.problem}. The server keeps running, and ${outlook}.`)
    }
    isFailing = !saving.ok
    return saving
  }

  const rescue = async (problem: string) => {
    const copy = await file.writeElsewhere(() => writeSandboxes(captureSandboxes(emulator.sandboxes)))
    const at = saver.savedAt()
    const since = at === undefined ? 'the start' : formatInstant(Math.floor(at / 1_000) * 1_000)
    reporter.notice(
      copy.ok
        ? `${problem}. The whole state is in ${copy.path} instead. To continue from it, move it, or start with --state ${copy.path}.`
        : `${problem}, nor a copy in ${copy.directory} (${copy.reason}). Changes since ${since} are lost.`,
    )
  }

  const look = (inMs: number) => {
    timer = setTimeout(() => {
      if (saver.isSaved()) return look(lookMs)
      save().then(saving => {
        if (!isEnded) look(waitAfter(saving))
      })
    }, inMs)
  }

  return {
    begin: () => look(0),
    saveNow: save,
    end: async () => {
      isEnded = true
      clearTimeout(timer)
      await saver.settled()
      if (saver.isSaved()) return true
      const saving = await save()
      if (!saving.ok) await rescue(saving.problem)
      return saving.ok
    },
  }
}

/** How long to wait after a save, in milliseconds. The next one will probably take as long, so it starts that much earlier. */
function waitAfter(saving: Saving): number {
  if (!saving.ok) return freshMs
  const { tookMs, busyMs } = saving
  const betweenMs = Math.max(freshMs - Math.min(tookMs, mostAheadMs), busyMs / share)
  return Math.max(lookMs, betweenMs - tookMs)
}

/** An error that names no system call is a defect of pet-mock, and needs its stack. */
function isExpected(error: unknown): boolean {
  return error instanceof StateTaken || (error instanceof Error && 'syscall' in error)
}
