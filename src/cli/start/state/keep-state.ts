import { captureSandboxes } from '../../../control/snapshot/take.ts'
import { writeSandboxes } from '../../../control/snapshot/write.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Reporter } from '../../log/reporter.ts'
import type { StateFile } from './state-file.ts'

/** How often it checks for changes, in milliseconds. */
const lookMs = 100
/** The longest that a change waits, in milliseconds, unless saving would take more than `share`. */
const freshMs = 1_000
/** The share of time that saving may take from calls. */
const share = 0.05
/** The most that a save may start early, in milliseconds. */
const mostAheadMs = 250

/**
 * Saves all sandboxes after changes: about once a second, and less often if that would take more than 5 % of the time from
 * calls. A failure is reported once and retried, while the server keeps running. `isSaved`: the file holds the current
 * state. The returned function saves the latest changes and stops.
 */
export function keepState(
  emulator: Pick<Emulator, 'sandboxes' | 'revision'>,
  file: Pick<StateFile, 'name' | 'write'>,
  reporter: Pick<Reporter, 'notice' | 'failure'>,
  isSaved: boolean,
): () => Promise<void> {
  const { sandboxes } = emulator
  let saved = isSaved ? emulator.revision() : undefined
  let isFailing = false
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve(0)

  /** Resolves with the milliseconds to wait before the next save. */
  const save = async (): Promise<number> => {
    const revision = emulator.revision()
    const began = performance.now()
    try {
      const busyMs = await file.write(() => writeSandboxes(captureSandboxes(sandboxes)))
      saved = revision
      if (isFailing) reporter.notice(`Saving ${file.name} works again.`)
      isFailing = false
      const tookMs = performance.now() - began
      // The next save will probably take as long, so it starts that much earlier.
      const aheadMs = Math.min(tookMs, mostAheadMs)
      return Math.max(freshMs - aheadMs, busyMs / share) - tookMs
    } catch (error) {
      report(error)
      return freshMs
    }
  }

  const report = (error: unknown) => {
    const problem = `Cannot save ${file.name} (${explainFileError(error)}).`
    // An error that names no system call is a defect of pet-mock, and needs its stack.
    if (!(error instanceof Error && 'syscall' in error)) reporter.failure(error)
    else if (isEnded) reporter.notice(`${problem} Changes since the last save are lost.`)
    else if (!isFailing) reporter.notice(`${problem} The server keeps running, and tries again to save.`)
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

  return async () => {
    isEnded = true
    clearTimeout(timer)
    await saving
    if (emulator.revision() !== saved) await save()
  }
}
