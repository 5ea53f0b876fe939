import { stat } from 'node:fs/promises'
import { type UserFiles, userFiles } from './user-files.ts'

/** Reads the user's files, and records how each looked just before it was read. Missing files count, too. */
export interface RecordedFiles extends UserFiles {
  /** The files that changed since. */
  readonly changed: () => Promise<readonly Look[]>
}

/** A path and the current look of its file. */
export interface Look {
  readonly path: string
  readonly look: string
}

export function recordFiles(): RecordedFiles {
  const looks = new Map<string, string>()
  const recorded =
    <T, More extends readonly unknown[]>(read: (path: string, ...more: More) => Promise<T>) =>
    async (path: string, ...more: More): Promise<T> => {
      looks.set(path, await lookOf(path))
      return read(path, ...more)
    }
  return {
    readText: recorded(userFiles.readText),
    listFiles: recorded(userFiles.listFiles),
    changed: async () => {
      const now = await Promise.all([...looks.keys()].map(async path => ({ path, look: await lookOf(path) })))
      return now.filter(({ path, look }) => look !== looks.get(path))
    },
  }
}

/** Changes with every save, however the editor saves: times in nanoseconds, size and identity of the file. */
async function lookOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, dev, ino } = await stat(path, { bigint: true })
    return `${mtimeNs} ${ctimeNs} ${size} ${dev} ${ino}`
  } catch {
    return 'missing'
  }
}
