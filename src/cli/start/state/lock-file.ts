import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, type LockOwner } from './lock-owner.ts'

/** How often a lock is touched, and how long one without a touch is believed, in milliseconds. */
export interface LockPace {
  readonly beatMs: number
  readonly staleMs: number
}

/** How often a lock is read during a wait, in milliseconds. */
const lookMs = 50

/** Creates a lock. Rejects with Node's system error. A full disk creates files, but writes nothing into them. */
export async function createLock(path: string, owner: LockOwner): Promise<void> {
  try {
    await writeFile(path, textOf(owner, 0), { flag: 'wx' })
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/**
 * Shows that the owner runs, to processes that cannot see it. False if the lock is gone. The text keeps its length, so
 * that a full disk can take it.
 */
export async function touchLock(path: string, owner: LockOwner, beat: number): Promise<boolean> {
  try {
    const file = await open(path, 'r+')
    await file.write(textOf(owner, beat), 0).finally(() => file.close())
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function textOf(owner: LockOwner, beat: number): string {
  return `${JSON.stringify({ ...owner, beat: `${beat % 1e9}`.padStart(9, '0') })}\n`
}

/** What is known of the holder of a lock. */
export type Holder = Pick<LockOwner, 'pid' | 'host'>

/**
 * The holder of a lock, or undefined if it no longer runs. If its process cannot be seen, it has `staleMs` of this
 * process's time to touch the lock: clocks of two machines are never compared. `onWait` is called before such a wait.
 */
export async function holderOf(
  path: string,
  own: LockOwner,
  staleMs: number,
  onWait: () => void,
): Promise<Holder | undefined> {
  const began = performance.now()
  let first: string | undefined
  let { host } = own
  let told = false
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    const owner = readOwner(text)
    const alive = owner && isAlive(owner, own)
    host = owner?.host ?? host
    const isTouched = first !== undefined && text !== first
    // A text that is just being written names nobody yet, but the next look finds it whole.
    if (owner !== undefined && (alive === true || isTouched)) return { pid: owner.pid, host }
    const isOver = performance.now() - began >= staleMs
    if (isOver && isTouched) return { pid: pidIn(path), host }
    if (isOver || alive === false) {
      await rm(path, { force: true })
      return undefined
    }
    if (!told && (owner !== undefined || text === first)) {
      told = true
      onWait()
    }
    first ??= text
    await sleep(lookMs)
  }
}

/** The process that the name of a lock has. */
function pidIn(path: string): number {
  return Number(/(\d+)-[0-9a-f]+\.lock$/.exec(path)?.[1])
}

/** Undefined for a lock that is just being written, or of something else. */
function readOwner(text: string): LockOwner | undefined {
  try {
    const { pid, host, space, born } = JSON.parse(text)
    return Number.isInteger(pid) ? { pid, host: `${host}`, space, born: `${born}` } : undefined
  } catch {
    return undefined
  }
}
