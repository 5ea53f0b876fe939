import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../library/files/folders.ts'
import { readText } from '../../library/files/read-file.ts'
import type { LockOwner } from './state/lock-owner.ts'

/** Tells other programs of the same user that a server runs, and where. */
export interface RunFile {
  readonly pid: number
  readonly admin: string
  /** Names this run of the server, as `GET health` does. */
  readonly start?: string | undefined
  /** Where its process id is valid. */
  readonly owner?: LockOwner | undefined
  /** The certificate of the server, in PEM, if it speaks HTTPS. */
  readonly certificate?: string | undefined
}

/** One per user: its files decide which server gets a token. */
function directory(): string {
  return join(tmpdir(), `pet-mock-${process.getuid?.() ?? 'user'}`)
}

function pathOf(pid: number): string {
  return join(directory(), `${pid}.json`)
}

/**
 * Returns a function that removes the file. If it cannot be written, the server is found by its URL alone. Not with
 * `node:fs/promises`, which would take longer to load than the file to write.
 */
export function writeRunFile(run: RunFile): () => void {
  try {
    makeFolder(directory(), 0o700)
    if (isOwn(directory())) writeWhole(pathOf(run.pid), JSON.stringify(run))
  } catch {}
  return () => removeRunFile(run.pid)
}

/** Readers in other processes see all of it or nothing. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.tmp`
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    rmSync(temporary, { force: true })
  }
}

export function removeRunFile(pid: number): void {
  try {
    rmSync(pathOf(pid), { force: true })
  } catch {}
}

/** All run files, including those of killed processes. */
export async function readRunFiles(): Promise<readonly RunFile[]> {
  try {
    if (!isOwn(directory())) return []
    const pids = readdirSync(directory()).flatMap(name => /^([1-9]\d*)\.json$/.exec(name)?.[1] ?? [])
    const read = await Promise.all(pids.map(pid => readRunFile(Number(pid))))
    return read.flatMap(file => file ?? []).sort((a, b) => a.pid - b.pid)
  } catch {
    return []
  }
}

/** `expected`: the process id in its name. To the system, -1 would mean every process of the user. */
async function readRunFile(expected: number): Promise<RunFile | undefined> {
  try {
    const { pid, admin, start, owner, certificate } = JSON.parse(await readText(pathOf(expected)))
    if (pid !== expected || !URL.canParse(admin)) return undefined
    const isPem = typeof certificate === 'string' && certificate.includes('-----BEGIN CERTIFICATE-----')
    return { pid, admin, start, owner, ...(isPem && { certificate }) }
  } catch {
    return undefined
  }
}

/** In a shared temporary directory, another user may own a directory of this name. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path)
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid())
}
