import { promises } from 'node:fs'
import { readText } from '../../../doors/disk/read-text.ts'

/** Access to the files of a scenario. */
export interface UserFiles {
  /** Reads a file of at most `most` bytes. Rejects with Unreadable or NotText. */
  readonly readText: (path: string, most?: number) => Promise<string>
  /** The names in a directory. Rejects with Node's system error. */
  readonly listFiles: (directory: string) => Promise<readonly string[]>
}

export const userFiles: UserFiles = {
  readText: (path, most) => readText(path, most),
  listFiles: directory => promises.readdir(directory),
}
