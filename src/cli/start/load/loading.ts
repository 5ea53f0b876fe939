import { promises } from 'node:fs'
import { readText } from '../../../library/files/read-file.ts'

/** A loaded value, or every mistake in what the user named, one line each. */
export type Loading<T> = { readonly ok: true; readonly value: T } | FailedLoading

export interface FailedLoading {
  readonly ok: false
  readonly complaints: readonly string[]
}

export function failed(...complaints: readonly string[]): FailedLoading {
  return { ok: false, complaints }
}

export function complaintsOf(...loadings: readonly Loading<unknown>[]): readonly string[] {
  return loadings.flatMap(loading => (loading.ok ? [] : loading.complaints))
}

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
