import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tells the other programs of a user's on this machine that a server runs, and where. */
export interface RunFile {
  readonly pid: number
  /** Where its admin plane is. */
  readonly admin: string
}

/** A user's own, since what lies there tells to whom a token is sent. */
function directory(): string {
  return join(tmpdir(), `pet-mock-${process.getuid?.() ?? 'user'}`)
}

/** Resolves with what takes the file away again. Where none can be written, the server is found by its URL alone. */
export async function writeRunFile(run: RunFile): Promise<() => Promise<void>> {
  const path = join(directory(), `${run.pid}.json`)
  try {
    await mkdir(directory(), { recursive: true, mode: 0o700 })
    if (await isOwn(directory())) await writeFile(path, JSON.stringify(run), { mode: 0o600 })
  } catch {}
  return () => removeRunFile(run.pid)
}

export async function removeRunFile(pid: number): Promise<void> {
  await rm(join(directory(), `${pid}.json`), { force: true }).catch(() => {})
}

/** What was written and not taken away, also by processes that were killed. */
export async function readRunFiles(): Promise<readonly RunFile[]> {
  try {
    if (!(await isOwn(directory()))) return []
    const names = (await readdir(directory())).filter(name => /^\d+\.json$/.test(name))
    const read = await Promise.all(names.map(name => readRunFile(join(directory(), name))))
    return read.flatMap(file => file ?? []).sort((a, b) => a.pid - b.pid)
  } catch {
    return []
  }
}

async function readRunFile(path: string): Promise<RunFile | undefined> {
  try {
    const { pid, admin } = JSON.parse(await readFile(path, 'utf8'))
    return Number.isInteger(pid) && URL.canParse(admin) ? { pid, admin } : undefined
  } catch {
    return undefined
  }
}

/** Where everybody may write, a directory of this name may be somebody else's. */
async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path)
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid())
}
