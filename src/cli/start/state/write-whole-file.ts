import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../../../library/files/read-file.ts'

/** Characters to write at once. Calls are answered in between. */
const atOnce = 262_144

/**
 * Replaces a file atomically: writes `temporary`, beside it, and renames that. Resolves when the file and its name survive
 * a power loss, with its bytes and how long writing kept the process busy. `mode`: the rights of a new file. Rejects with Node's system error and leaves the old file as it is.
 */
export function writeWholeFile(
  path: string,
  temporary: string,
  pieces: () => Iterable<string>,
  mode = 0o666,
) {
  return replaceFrom(path, temporary, () => writeAndSync(temporary, pieces, mode))
}

/** Replaces a file by what `write` writes to `temporary`. A failure leaves the old file as it is. */
export async function replaceFrom<T>(path: string, temporary: string, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write()
    await rename(temporary, path)
    await syncDirectory(dirname(path))
    return written
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

async function writeAndSync(path: string, pieces: () => Iterable<string>, mode: number) {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_DSYNC } = constants
  // Under the permission model, Node 26 denies fsync: there, each write reaches the disk before it returns.
  const isDenied = 'permission' in process
  const handle = await open(path, isDenied ? O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC : 'w', mode)
  try {
    const busyMs = await write(handle, pieces)
    if (!isDenied) await handle.sync()
    return { bytes: (await handle.stat()).size, busyMs }
  } finally {
    await handle.close()
  }
}

async function write(handle: FileHandle, pieces: () => Iterable<string>): Promise<number> {
  let busyMs = 0
  let text = ''
  let since = performance.now()
  const flush = async () => {
    const written = handle.appendFile(text)
    text = ''
    busyMs += performance.now() - since
    await written
    since = performance.now()
  }
  for (const piece of pieces()) {
    text += piece
    if (text.length > atOnce) await flush()
  }
  await flush()
  return busyMs
}

/** A system that cannot sync directories, such as Windows, or Node 26 under the permission model. */
const cannotSync = /^(?:ERR_ACCESS_DENIED|EISDIR|EINVAL|EPERM|EACCES|EBADF|ENOTSUP|EOPNOTSUPP|ENOSYS)$/

/** Makes the rename survive a power loss, where the file system can. */
async function syncDirectory(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    await handle.sync()
  } catch (error) {
    if (!cannotSync.test(codeOf(error))) throw error
  } finally {
    await handle?.close()
  }
}
