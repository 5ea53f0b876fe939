import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Characters to write at once. Calls are answered in between. */
const atOnce = 262_144

/**
 * Replaces a file atomically: writes `temporary`, beside it, and renames that. Resolves with the milliseconds that it kept
 * the process busy. Rejects with Node's system error and leaves the old file as it is.
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

/** Makes the rename survive a power loss. Windows cannot open directories, and does not need this. */
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
