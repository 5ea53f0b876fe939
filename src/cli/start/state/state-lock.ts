import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLock, type Holder, holderOf, type LockPace, touchLock } from './lock-file.ts'
import type { LockOwner } from './lock-owner.ts'

/** Another process holds the lock in the file named `lock`. */
export type Held = Holder & { readonly ok: false; readonly lock: string }

export interface StateLock {
  readonly ok: true
  /** Identifies the lock beside others of the same file. */
  readonly id: string
  /**
   * Undefined if the lock is still held; it is created again if its directory was replaced. Otherwise the process that has
   * taken the file over, for good. Rejects with Node's system error.
   */
  readonly confirm: () => Promise<Held | undefined>
  readonly release: () => Promise<void>
}

export interface LockOptions {
  readonly owner: LockOwner
  readonly pace?: LockPace
  /** Called before a wait for a process that this one cannot see, unless the lock was lost. */
  readonly onWait?: () => void
}

const silently = () => {}
const usualPace: LockPace = { beatMs: 1_000, staleMs: 5_000 }

/** How often a server claims a lock again that it has lost, and after how many milliseconds: one that starts may be in the way. */
const [mostClaims, betweenClaimsMs] = [3, 250]

/**
 * Locks a state file by a file beside it, which is touched every second. Only locks of ended processes are removed. So of
 * two servers that start at once both may be refused, but never both accepted. Rejects with Node's system error if the
 * directory cannot be written.
 */
export async function lockState(
  directory: string,
  base: string,
  { owner, pace = usualPace, onWait = silently }: LockOptions,
): Promise<StateLock | Held> {
  const id = `${owner.pid}-${randomBytes(4).toString('hex')}`
  const own = join(directory, `${base}.${id}.lock`)
  let beat = 0
  let lost: Held | undefined
  let last: Promise<unknown> = Promise.resolve()
  const touch = () => {
    beat += 1
    return touchLock(own, owner, beat)
  }

  const claim = async (onWait: () => void): Promise<Held | undefined> => {
    await createLock(own, owner)
    const held = await findOther(directory, base, id, { owner, pace, onWait })
    if (held !== undefined) await rm(own, { force: true })
    return held
  }
  const claimAgain = async (): Promise<Held | undefined> => {
    let held = await claim(silently)
    for (let claims = 1; held !== undefined && claims < mostClaims; claims += 1) {
      await sleep(betweenClaimsMs)
      held = await claim(silently)
    }
    return held
  }
  const confirm = async () => {
    if (lost === undefined && !(await touch())) lost = await claimAgain()
    return lost
  }
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act)
    last = next.catch(() => {})
    return next
  }

  // While it looks for others, others must see that it runs.
  const beats = setInterval(() => touch().catch(() => {}), pace.beatMs).unref()
  const held = await claim(onWait).finally(() => clearInterval(beats))
  if (held !== undefined) return held
  const timer = setInterval(() => inTurn(confirm).catch(() => {}), pace.beatMs).unref()
  return {
    ok: true,
    id,
    confirm: () => inTurn(confirm),
    release: () => {
      clearInterval(timer)
      return inTurn(() => rm(own, { force: true }))
    },
  }
}

/** Finds a lock that another process holds. Without one, removes what ended processes left. */
async function findOther(
  directory: string,
  base: string,
  id: string,
  { owner, pace, onWait }: Required<LockOptions>,
): Promise<Held | undefined> {
  const beside = (await readdir(directory)).flatMap(name => {
    const [, other, kind] =
      (name.startsWith(`${base}.`) && /^\.(\d+-[0-9a-f]{8})\.(tmp|lock)$/.exec(name.slice(base.length))) || []
    return other === undefined || other === id ? [] : [{ name, kind }]
  })
  const locks = beside.filter(({ kind }) => kind === 'lock')
  const holders = await Promise.all(
    locks.map(async ({ name }) => {
      const holder = await holderOf(join(directory, name), owner, pace.staleMs, onWait)
      return holder === undefined ? [] : [{ ok: false, lock: name, ...holder } as const]
    }),
  )
  const [held] = holders.flat()
  if (held !== undefined) return held
  const left = beside.filter(({ kind }) => kind === 'tmp')
  await Promise.all(left.map(({ name }) => rm(join(directory, name), { force: true })))
  return undefined
}
