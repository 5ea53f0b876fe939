import { basename, extname, isAbsolute } from 'node:path'
import { suggest } from '../../base/text/did-you-mean.ts'
import { decodeText } from '../../control/files/decode.ts'
import { maxFileBytes } from '../../control/files/document.ts'
import { readBytes } from './read-bytes.ts'

const reasons: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EROFS: 'the disk is read-only',
  ERR_ACCESS_DENIED: "Node's permission model forbids it: see --allow-fs-read and --allow-fs-write",
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
}

/** A file that cannot be read. The message is the reason. */
export class Unreadable extends Error {}

/** Reads a user's file of at most `most` bytes. Rejects with Unreadable or NotText. */
export async function readText(path: string, most: number = maxFileBytes): Promise<string> {
  let bytes: Uint8Array
  try {
    bytes = await readBytes(path, most)
  } catch (error) {
    throw new Unreadable(explainFileError(error))
  }
  return decodeText(bytes)
}

export function explainFileError(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`
  return ('code' in error && reasons[`${error.code}`]) || error.message
}

/** Why a file cannot be read, with its path and a similar name from `names`; undefined if it can. */
export async function explainUnreadable(
  path: string,
  read: (path: string) => Promise<string>,
  names: Iterable<string>,
): Promise<string | undefined> {
  try {
    await read(path)
    return undefined
  } catch (error) {
    if (!(error instanceof Unreadable)) return undefined
    const where = isAbsolute(path) ? path : `${path} in ${process.cwd()}`
    if (error.message === reasons.EISDIR) return `${where} is a directory, not a file`
    if (error.message !== reasons.ENOENT) return `${where} cannot be read (${error.message})`
    return `there is no file ${where}${suggest(basename(path, extname(path)), names)}`
  }
}
