import type { Emulator } from '../../emulator/emulator.ts'
import type { Reporter } from '../log/reporter.ts'
import { findChanges, formatChanges } from './describe-changes.ts'
import type { Loaded } from './load/load-from-flags.ts'
import type { Loading } from './load/loading.ts'
import { type Look, type RecordedFiles, recordFiles } from './load/recorded-files.ts'

export interface Watched {
  /** Their state at the time of loading. */
  readonly files: RecordedFiles
  readonly load: (files: RecordedFiles, before: Loaded) => Promise<Loading<Loaded>>
}

/** How often the files are checked, in milliseconds. */
const intervalMs = 100

/** Reloads the files once they have changed and stayed the same between two checks. Returns a function that stops it. */
export function watch(
  initial: Loaded,
  { files: initialFiles, load }: Watched,
  { sandboxes, openAreas }: Pick<Emulator, 'sandboxes' | 'openAreas'>,
  reporter: Pick<Reporter, 'notice' | 'notAdopted' | 'failure'>,
): () => void {
  let loaded = initial
  let files = initialFiles
  let lastLook = ''
  let stopped = false

  const reload = async (changed: readonly Look[]) => {
    const read = recordFiles()
    const loading = await load(read, loaded)
    if (stopped) return
    files = read
    if (!loading.ok) {
      reporter.notAdopted(loading.complaints)
      return
    }
    const isOtherContract = loaded.openapi?.text !== loading.value.openapi?.text
    const changes = findChanges(loaded.scenario, loading.value.scenario)
    loaded = loading.value
    sandboxes.adopt(loaded.scenario, Date.now())
    if (loaded.openapi !== undefined) openAreas(loaded.openapi.areas)
    const paths = changed.map(({ path }) => path)
    const atOnce = [...changes.atOnce, ...(isOtherContract ? ['the contract'] : [])]
    reporter.notice(formatChanges(paths, { ...changes, atOnce }, loaded.scenario.reset))
    if (isOtherContract) for (const line of loaded.openapi?.lines ?? []) reporter.notice(line)
  }

  const look = async () => {
    const changed = await files.changed()
    const now = JSON.stringify(changed)
    const isStable = now === lastLook
    lastLook = now
    if (changed.length > 0 && isStable) await reload(changed)
  }

  let timer: NodeJS.Timeout | undefined
  const next = () => {
    timer = setTimeout(async () => {
      await look().catch(error => reporter.failure(error))
      if (!stopped) next()
    }, intervalMs)
  }
  next()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
