import { randomUUID } from 'node:crypto'
import { open, rm, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../../library/files/read-file.ts'
import { isAlive, type LockOwner } from './lock-owner.ts'

export interface Held extends Pick<LockOwner, 'pid' | 'host'> {
  readonly ok: false
  readonly lock: string
}

/** How often a lock is touched, and how long one without a touch is believed, in milliseconds. */
export interface LockPace {
  readonly beatMs: number
  readonly staleMs: number
}

interface LockOptions {
  readonly owner: LockOwner
  readonly pace?: LockPace
  /** Called before a wait for a process that this one cannot see, unless the lock was lost. */
  readonly onWait?: () => void
}

const silently = () => {}
const usualPace: LockPace = { beatMs: 1_000, staleMs: 5_000 }

/** How often a lock is read during a wait, in milliseconds. */
const lookMs = 50

/**
 * Locks a state file by a file beside it, which only one process can create, and which is touched every second. Rejects with
 * Node's system error if the directory cannot be written.
 */
export async function lockState(path: string, { owner, pace = usualPace, onWait = silently }: LockOptions) {
  const lock = `${path}.pet-mock.lock`
  const id = randomUUID()
  const text = `${JSON.stringify({ ...owner, id })}\n`
  let lost: Held | undefined
  let last: Promise<unknown> = Promise.resolve()

  /**
   * The holder of the lock. If it no longer runs, removes what it left and returns undefined. If its process cannot be seen,
   * it has `staleMs` of this process's time to touch the lock: clocks of two machines are never compared. `onWait` is called
   * before such a wait.
   */
  const findHolder = async (onWait: () => void): Promise<LockOwner | undefined> => {
    const began = performance.now()
    let first: string | undefined
    let announced = false
    for (let looks = 0; ; looks += 1) {
      const look = await lookAt(lock)
      if (look === undefined) return undefined
      // A text that is just being written names nobody yet, but the next look finds it whole.
      const found = readOwner(look.text)
      const alive = found && isAlive(found, owner)
      const now = `${look.touched} ${look.text}`
      first ??= now
      if (found !== undefined && (alive === true || now !== first)) return found
      if (alive === false || performance.now() - began >= pace.staleMs) {
        if (found !== undefined) await rm(temporaryOf(path, found.id), { force: true })
        // Another process may have removed it, too, and made its own.
        if ((await lookAt(lock))?.text === look.text) await rm(lock, { force: true })
        return undefined
      }
      if (!announced && (found !== undefined || looks > 0)) {
        announced = true
        onWait()
      }
      await sleep(lookMs)
    }
  }
  const claim = async (onWait: () => void): Promise<Held | undefined> => {
    while (!(await create(lock, text))) {
      const holder = await findHolder(onWait)
      if (holder !== undefined) return { ok: false, lock, pid: holder.pid, host: holder.host }
    }
    return undefined
  }
  const confirm = async () => {
    if (lost !== undefined) return lost
    const found = await lookAt(lock)
    if (found?.text === text) await utimes(lock, new Date(), new Date())
    else lost = await claim(silently)
    return lost
  }
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act)
    last = next.catch(() => {})
    return next
  }

  const held = await claim(onWait)
  if (held !== undefined) return held
  const timer = setInterval(() => inTurn(confirm).catch(() => {}), pace.beatMs).unref()
  return {
    ok: true as const,
    /** Where the holder may write the next version of the file. */
    temporary: temporaryOf(path, id),
    /**
     * Undefined if the lock is still held; it is created again if its directory was replaced. Otherwise the process that has
     * taken the file over, for good. Rejects with Node's system error.
     */
    confirm: () => inTurn(confirm),
    release: () => {
      clearInterval(timer)
      return inTurn(async () => {
        if ((await lookAt(lock))?.text === text) await rm(lock, { force: true })
      })
    },
  }
}

function temporaryOf(path: string, id: string): string {
  return `${path}.${id}.tmp`
}

/** False if the lock exists. */
async function create(lock: string, text: string): Promise<boolean> {
  try {
    await writeFile(lock, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // A full disk creates files, but writes nothing into them.
    await rm(lock, { force: true }).catch(() => {})
    throw error
  }
}

/** Undefined without a lock. Network folders show a new text and time to those who open the file. */
async function lookAt(lock: string) {
  const file = await open(lock).catch(error => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  if (file === undefined) return undefined
  try {
    return { touched: (await file.stat()).mtimeMs, text: await file.readFile('utf8') }
  } finally {
    await file.close()
  }
}

/** Undefined for a lock that is just being written, or of something else. */
function readOwner(text: string): (LockOwner & { readonly id: string }) | undefined {
  try {
    const { pid, host, space, born, id } = JSON.parse(text)
    const isOurs = Number.isInteger(pid) && /^[0-9a-f-]{36}$/.test(id)
    return isOurs ? { pid, host: `${host}`, space, born: `${born}`, id } : undefined
  } catch {
    return undefined
  }
}
