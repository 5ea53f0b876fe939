import type { Reporter } from '../log/reporter.ts'
import { findChanges, tellChanges } from './describe-changes.ts'
import type { Loaded, Loading } from './load/load-scenario.ts'
import { type Look, type RecordedFiles, recordFiles } from './load/recorded-files.ts'

export interface WatchOptions {
  readonly loaded: Loaded
  /** Those that it was loaded from. */
  readonly files: RecordedFiles
  readonly load: (files: RecordedFiles, before: Loaded) => Promise<Loading<Loaded>>
  readonly adopt: (loaded: Loaded) => void
  /** Is told what was done, in one line, or everything that is wrong, in the words of a start. */
  readonly reporter: Pick<Reporter, 'notice' | 'notAdopted' | 'failure'>
}

/** How often the files are looked at, in milliseconds. */
const intervalMs = 100

/**
 * Looks whether the files that a scenario was loaded from still look as they did when they were read, and loads it
 * again when they do not and have been left alone since the last look. Returns what ends it.
 */
export function watch(options: WatchOptions): () => void {
  const { load, adopt, reporter } = options
  let { files, loaded } = options
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
    adopt(loaded)
    const paths = changed.map(({ path }) => path)
    const atOnce = [...changes.atOnce, ...(isOtherContract ? ['the contract'] : [])]
    reporter.notice(tellChanges(paths, { ...changes, atOnce }, loaded.scenario.reset))
    if (isOtherContract) for (const line of loaded.openapi?.lines ?? []) reporter.notice(line)
  }

  const look = async () => {
    const changed = await files.changed()
    const now = JSON.stringify(changed)
    const isAtRest = now === lastLook
    lastLook = now
    if (changed.length > 0 && isAtRest) await reload(changed)
  }

  const next = () => {
    timer = setTimeout(() => {
      look()
        .catch(error => reporter.failure(error))
        .finally(() => {
          if (!stopped) next()
        })
    }, intervalMs)
  }
  let timer: NodeJS.Timeout | undefined
  next()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
