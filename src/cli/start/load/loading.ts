import { promises } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { formatComplaint, type Reading } from '../../../control/files/complaint.ts'
import { exists, readFrom, readText } from '../../../library/files/read-file.ts'
import type { Environment } from '../../terminal/io.ts'

/** A loaded value, or every mistake in what the user named, one line each. */
export type Loading<T> = { readonly ok: true; readonly value: T } | FailedLoading

/** What a function loads. */
export type LoadedBy<F extends (...given: never[]) => unknown> = Extract<
  Awaited<ReturnType<F>>,
  { readonly ok: true; readonly value: unknown }
>['value']

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

/** All that was loaded, or every mistake. */
export function allOf<T>(loadings: readonly Loading<T>[]): Loading<readonly T[]> {
  const complaints = complaintsOf(...loadings)
  const value = loadings.flatMap(loading => (loading.ok ? [loading.value] : []))
  return complaints.length > 0 ? failed(...complaints) : { ok: true, value }
}

/** Reads a user's text by `read`. `unread` explains, for a reason, why there is no text. `names`: of files that may be meant. */
export async function loadText<T>(
  path: string,
  text: Promise<string>,
  read: (text: string) => Promise<Reading<T>>,
  unread = (reason: string) => reason,
  names?: Iterable<string>,
): Promise<Loading<T>> {
  const reading = await readFrom(path, text, read, names)
  if (typeof reading === 'string') return failed(unread(reading))
  return reading.ok ? reading : failed(...reading.complaints.map(formatComplaint))
}

export type UserFiles = typeof userFiles

export const userFiles = {
  /** Reads a file of at most `most` bytes. Rejects with Unreadable or NotText. */
  readText: (path: string, most?: number) => readText(path, most),
  /** The names in a directory. Rejects with Node's system error. */
  listFiles: (directory: string): Promise<readonly string[]> => promises.readdir(directory),
}

/** Resolves a path from where the user typed it. npm runs scripts elsewhere, and keeps that in INIT_CWD. */
export function typedPath(path: string, { INIT_CWD: typedIn = '' }: Environment): string {
  if (typedIn === '' || isAbsolute(path) || exists(path)) return path
  const there = join(typedIn, path)
  return exists(there) ? there : path
}
