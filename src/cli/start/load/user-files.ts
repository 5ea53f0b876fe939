import { readdir } from 'node:fs/promises'
import { readText } from '../../../doors/disk/read-text.ts'

/** Access to the files of a scenario. */
export interface UserFiles {
  /** Rejects with Unreadable or NotText. */
  readonly readText: (path: string) => Promise<string>
  /** Names of the files in a directory. Rejects with Node's system error. */
  readonly listFiles: (directory: string) => Promise<readonly string[]>
}

export const userFiles: UserFiles = {
  readText,
  listFiles: async directory => {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries.filter(entry => !entry.isDirectory()).map(({ name }) => name)
  },
}
