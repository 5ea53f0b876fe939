import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Characters that are handed to the system at once; between two times calls are answered. */
const atOnce = 262_144

/**
 * Writes a file such that at every moment it is there as a whole, the old one or the new one, whatever happens: into
 * `temporary`, which lies beside it, which then takes its place. Resolves with the milliseconds for which it kept the
 * process from other work. Rejects with Node's system error; the old file is untouched then.
 */
export async function writeWholeFile(
  path: string,
  temporary: string,
  pieces: () => Iterable<string>,
): Promise<number> {
  try {
    const busyMs = await writeAndSync(temporary, pieces)
    await rename(temporary, path)
    await syncDirectory(dirname(path))
    return busyMs
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

async function writeAndSync(path: string, pieces: () => Iterable<string>): Promise<number> {
  const handle = await open(path, 'w')
  try {
    const busyMs = await write(handle, pieces)
    await handle.sync()
    return busyMs
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

/** Makes the new name last through a loss of power. Windows opens no directories, and needs none of this. */
async function syncDirectory(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    await handle.sync()
  } catch {
  } finally {
    await handle?.close()
  }
}
