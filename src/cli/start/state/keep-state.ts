import { captureSandboxes } from '../../../control/snapshot/take.ts'
import { writeSandboxes } from '../../../control/snapshot/write.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Reporter } from '../../log/reporter.ts'
import type { StateFile } from './state-file.ts'

export interface KeepStateOptions {
  readonly emulator: Pick<Emulator, 'sandboxes' | 'revision'>
  readonly file: Pick<StateFile, 'name' | 'write'>
  readonly reporter: Pick<Reporter, 'notice' | 'failure'>
  /** Whether the file holds what there is now. */
  readonly isSaved: boolean
}

export interface StateKeeper {
  /** Saves what is not saved yet, and ends. */
  readonly end: () => Promise<void>
}

/** How often it looks whether something has changed, in milliseconds. */
const lookMs = 100
/** A change is saved within this time, in milliseconds, as long as saving takes no more than `share`. */
const freshMs = 1_000
/** The part of the time for which saving may keep calls waiting. */
const share = 0.05
/** How much less than a second may lie between two saves, in milliseconds. */
const mostAheadMs = 250

/**
 * Saves all sandboxes when something has changed: so often that one save is done a second after the one before, and
 * less often when that would take more than 5 % of the time from calls. What cannot be saved is told once, and tried
 * again: the server goes on.
 */
export function keepState({ emulator, file, reporter, isSaved }: KeepStateOptions): StateKeeper {
  const { sandboxes } = emulator
  let saved = isSaved ? emulator.revision() : undefined
  let isFailing = false
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve(0)

  /** Resolves with the milliseconds until the next save may begin. */
  const save = async (): Promise<number> => {
    const revision = emulator.revision()
    const began = performance.now()
    try {
      const busyMs = await file.write(() => writeSandboxes(captureSandboxes(sandboxes)))
      saved = revision
      if (isFailing) reporter.notice(`${file.name} is saved again.`)
      isFailing = false
      const tookMs = performance.now() - began
      // As long as the last save took, the next one will: it begins that much earlier, to be done in time.
      const aheadMs = Math.min(tookMs, mostAheadMs)
      return Math.max(freshMs - aheadMs, busyMs / share) - tookMs
    } catch (error) {
      tell(error)
      return freshMs
    }
  }

  const tell = (error: unknown) => {
    // What names no system call is a defect of ours, and deserves its stack.
    if (!(error instanceof Error && 'syscall' in error)) reporter.failure(error)
    else if (isEnded)
      reporter.notice(`${file.name} cannot be saved (${explainFileError(error)}): what is new is lost.`)
    else if (!isFailing)
      reporter.notice(
        `${file.name} cannot be saved (${explainFileError(error)}). Calls are answered as before, and it is tried again.`,
      )
    isFailing = true
  }

  const look = (inMs: number) => {
    timer = setTimeout(() => {
      if (emulator.revision() === saved) return look(lookMs)
      saving = save()
      saving.then(waitMs => {
        if (!isEnded) look(Math.max(lookMs, waitMs))
      })
    }, inMs)
  }
  look(0)

  return {
    end: async () => {
      isEnded = true
      clearTimeout(timer)
      await saving
      if (emulator.revision() !== saved) await save()
    },
  }
}
