import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { birthOf } from './processes.ts'

export type Claim =
  | { readonly ok: true; readonly release: () => Promise<void> }
  /** Another process keeps the file; `lock` is the path of what says so. */
  | { readonly ok: false; readonly pid: number; readonly lock: string }

/**
 * Claims a state file for this process, by a file beside it that has the number of the process in its name and says
 * when the process began. Nobody takes another's away, but of processes that are gone: so of two servers that start at
 * once both may be refused, and never none. What such processes have left is removed. Rejects with Node's system error
 * when nothing can be written into the directory.
 */
export async function claimState(directory: string, base: string, pid: number): Promise<Claim> {
  const own = join(directory, `${base}.${pid}.lock`)
  await writeFile(own, (await birthOf(pid)) ?? '')
  const release = () => rm(own, { force: true })
  for (const name of await readdir(directory)) {
    const [, number, kind] =
      (name.startsWith(`${base}.`) && /^\.(\d+)\.(tmp|lock)$/.exec(name.slice(base.length))) || []
    if (number === undefined || Number(number) === pid) continue
    const path = join(directory, name)
    if (!(await isHeld(path, Number(number)))) await rm(path, { force: true })
    else if (kind === 'lock') {
      await release()
      return { ok: false, pid: Number(number), lock: name }
    }
  }
  return { ok: true, release }
}

/** Whether the process that has made a file still runs, and no other one has been given its number. */
async function isHeld(path: string, pid: number): Promise<boolean> {
  const born = await birthOf(pid)
  if (born === undefined || !path.endsWith('.lock')) return born !== undefined
  const said = await readFile(path, 'utf8').catch(() => '')
  // A file that says nothing may have been made just now.
  return said === '' || born === '' || said === born
}
