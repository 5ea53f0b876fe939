import { constants as bufferConstants } from 'node:buffer'
import { constants, existsSync, promises, type Stats } from 'node:fs'
import { basename, extname, isAbsolute } from 'node:path'
import { suggest } from '../../base/text/did-you-mean.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { type Reading, refused } from '../../control/files/complaint.ts'
import { decodeText, maxFileBytes, NotText } from '../../control/files/document.ts'

/** The limit of a file that programs write, such as a snapshot: the longest text that Node can hold, about 512 MiB. */
export const maxSnapshotBytes = bufferConstants.MAX_STRING_LENGTH

/** Whether a file exists. False where Node's permission model forbids to look: `existsSync` would throw. */
export function exists(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false
  }
}

/** Reads the text of a file of this package, whatever runs from its folders. */
export async function readOwnText(file: string): Promise<string> {
  for (let at = new URL('.', import.meta.url); ; at = new URL('..', at)) {
    const source = new URL(file, at)
    if (existsSync(source)) return await promises.readFile(source, 'utf8')
    // Of the root, which may be a drive of Windows.
    if (new URL('..', at).href === at.href)
      throw new Error(`this installation of pet-mock is incomplete: it has no ${file}`)
  }
}

/**
 * Reads a file of at most `most` bytes. It refuses, unread, what is larger or no file: a pipe would block, and a device never
 * ends. Rejects with an error whose message is the reason, or with Node's system error. A plain start reads no file, so
 * `promises` loads when first used.
 */
export async function readBytes(path: string, most: number): Promise<Buffer> {
  // Look before opening, because opening a device can change it.
  refuseLarge(await promises.stat(path), most)
  // Another file may have this name by now. Without O_NONBLOCK, opening a pipe waits for a writer.
  const file = await promises.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    refuseLarge(await file.stat(), most)
    // Files of /proc say that their size is 0, and a file may grow.
    const chunks: Buffer[] = []
    const stream = file.createReadStream({ end: most, highWaterMark: 2 ** 20, autoClose: false })
    for await (const chunk of stream) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > most) throw tooLarge(bytes.length, most)
    return bytes
  } finally {
    await file.close()
  }
}

/** Throws for what is no file: opening a pipe would block, and a device may take or give anything. */
export function refuseNoFile(stats: Stats): void {
  // The system's own name for this, so that it is explained like the system's error.
  if (stats.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' })
  const kind = stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device'
  if (!stats.isFile()) throw new Error(`it is a ${kind}, not a file`)
}

function refuseLarge(stats: Stats, most: number): void {
  refuseNoFile(stats)
  if (stats.size > most) throw tooLarge(stats.size, most)
}

function tooLarge(bytes: number, most: number): Error {
  const mebibytes = Math.floor((most / 2 ** 20) * 10) / 10
  return new Error(`it has ${groupDigits(bytes)} bytes; the limit is ${groupDigits(most)} (${mebibytes} MiB)`)
}

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

/** The code of Node's system error, such as `ENOENT`. Empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? `${error.code}` : ''
}

export function explainFileError(error: unknown): string {
  return reasons[codeOf(error)] ?? (error instanceof Error ? error.message : `${error}`)
}

/** Reads a user's text. Resolves with what is wrong in it, or with why there is none. `names`: of files that may be meant. */
export async function readFrom<T>(
  path: string,
  text: Promise<string>,
  read: (text: string) => Promise<Reading<T>>,
  names: Iterable<string> = [],
): Promise<Reading<T> | string> {
  try {
    return await read(await text)
  } catch (error) {
    if (error instanceof NotText) return refused({ file: path, ...error.place, message: error.message })
    if (!(error instanceof Unreadable)) throw error
    return explainUnread(path, error.message, names)
  }
}

/** Why a file could not be read, with its path and a similar name from `names`. */
function explainUnread(path: string, reason: string, names: Iterable<string>): string {
  const where = isAbsolute(path) ? path : `${path} in ${process.cwd()}`
  if (reason === reasons.EISDIR) return `${where} is a directory, not a file`
  if (reason !== reasons.ENOENT) return `${where} cannot be read (${reason})`
  return `there is no file ${where}${suggest(basename(path, extname(path)), names)}`
}
