import { constants as bufferConstants } from 'node:buffer'
import { constants, promises, type Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { groupDigits } from '../../base/text/quantities.ts'

/** The limit of a file that programs write, such as a snapshot: the longest text that Node can hold, about 512 MiB. */
export const maxSnapshotBytes = bufferConstants.MAX_STRING_LENGTH

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
    const bytes = await readUpTo(file, most + 1)
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
  if (!stats.isFile()) throw new Error(`it is a ${kindOf(stats)}, not a file`)
}

function refuseLarge(stats: Stats, most: number): void {
  refuseNoFile(stats)
  if (stats.size > most) throw tooLarge(stats.size, most)
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}

function tooLarge(bytes: number, most: number): Error {
  const mebibytes = Math.floor((most / 2 ** 20) * 10) / 10
  return new Error(`it has ${groupDigits(bytes)} bytes; the limit is ${groupDigits(most)} (${mebibytes} MiB)`)
}

/** Reads to the end or to the limit. Files of /proc say that their size is 0, and a file may grow. */
async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const stream = file.createReadStream({ end: most - 1, highWaterMark: 2 ** 20, autoClose: false })
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
