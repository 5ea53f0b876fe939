import { captureSandboxes } from '../../../control/snapshot/take.ts'
import { writeSandboxes } from '../../../control/snapshot/write.ts'
import type { SavedState } from '../../../doors/admin/routing/route-context.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { StateFile } from './state-file.ts'

/** Milliseconds that a save took, and how long it kept calls waiting. */
interface Took {
  readonly tookMs: number
  readonly busyMs: number
}

export type Saving =
  | (Extract<SavedState, { readonly ok: true }> & Took)
  | (Extract<SavedState, { readonly ok: false }> & { readonly error: unknown })

export interface Saver {
  /** Whether the file has everything that was answered. */
  readonly isSaved: () => boolean
  /** When the content of the newest saved file was captured, in milliseconds since the epoch. */
  readonly savedAt: () => number | undefined
  /** Saves everything that was answered before. Callers that wait for a running save share the one after it. */
  readonly save: () => Promise<Saving>
  /** Resolves when no save is running. */
  readonly settled: () => Promise<unknown>
}

/** Saves all sandboxes, never twice at once. `isSaved`: the file holds the current state. */
export function createSaver(
  { sandboxes, revision }: Pick<Emulator, 'sandboxes' | 'revision'>,
  file: Pick<StateFile, 'name' | 'path' | 'write'>,
  isSaved: boolean,
): Saver {
  let saved = isSaved ? revision() : undefined
  let savedAt: number | undefined
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Saving> | undefined

  const saveOnce = async (): Promise<Saving> => {
    const captured = revision()
    const [began, at] = [performance.now(), Date.now()]
    try {
      const { bytes, busyMs } = await file.write(() => writeSandboxes(captureSandboxes(sandboxes)))
      saved = captured
      savedAt = at
      return { ok: true, file: file.path, bytes, busyMs, tookMs: performance.now() - began }
    } catch (error) {
      return { ok: false, problem: `Cannot save ${file.name} (${explainFileError(error)})`, error }
    }
  }

  return {
    isSaved: () => revision() === saved,
    savedAt: () => savedAt,
    save: () => {
      next ??= last.then(() => {
        next = undefined
        return saveOnce()
      })
      last = next
      return next
    },
    settled: () => last,
  }
}
