import { stat } from 'node:fs/promises'
import { type UserFiles, userFiles } from './user-files.ts'

/** The user's files, with a note of how each looked just before it was read: one that is not there, too. */
export interface RecordedFiles extends UserFiles {
  /** The paths that were read and look otherwise now. */
  readonly changed: () => Promise<readonly Look[]>
}

/** A path, and how the file looks now. */
export interface Look {
  readonly path: string
  readonly look: string
}

export function recordFiles(): RecordedFiles {
  const looks = new Map<string, string>()
  const recorded =
    <T>(read: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      looks.set(path, await lookOf(path))
      return read(path)
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

/** What a save changes, by whatever way the editor saves: times in nanoseconds, the size, or which file it is. */
async function lookOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, dev, ino } = await stat(path, { bigint: true })
    return `${mtimeNs} ${ctimeNs} ${size} ${dev} ${ino}`
  } catch {
    return 'not there'
  }
}
