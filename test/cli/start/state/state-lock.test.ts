import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { birthOf, describeOwner, type LockOwner } from '../../../../src/cli/start/state/lock-owner.ts'
import { type LockPace, lockState } from '../../../../src/cli/start/state/state-lock.ts'
import { directoryWith } from '../../../support/directory.ts'
import { needPosix, requireOrSkip } from '../../../support/requirements.ts'

needPosix('signals')

const own = process.pid

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

/** The id of a process that runs until the test is over. */
async function otherPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  onTestFinished(() => {
    child.kill()
  })
  await once(child, 'spawn')
  return child.pid ?? 0
}

/** Another container, whose processes this one does not see. */
const elsewhere: LockOwner = { pid: own, host: 'web-2', space: 'another boot pid:[1]', born: 'then' }
/** Fast, so that nobody waits; patient with a holder whose touch is late on a busy machine; slow, so that nothing happens by itself. */
const [fast, patient, slow] = [
  { beatMs: 20, staleMs: 400 },
  { beatMs: 20, staleMs: 60_000 },
  { beatMs: 60_000, staleMs: 600_000 },
]

const name = 's.json.pet-mock.lock'

async function lock(directory: string, owner: LockOwner | number, pace?: LockPace, onWait?: () => void) {
  const described = typeof owner === 'number' ? describeOwner(owner) : owner
  const options = { owner: described, ...(pace && { pace }), ...(onWait && { onWait }) }
  const locked = await lockState(join(directory, 's.json'), options)
  if (locked.ok) onTestFinished(() => locked.release().catch(() => {}))
  return locked
}

const id = randomUUID()
const textOf = (owner: LockOwner, born = owner.born) => JSON.stringify({ ...owner, born, id })

test('a file is locked until it is released', async () => {
  const directory = directoryWith({ 's.json': 'kept' })
  const other = await otherPid()
  const first = await lock(directory, own)
  expect(first.ok).toBe(true)
  const held = { ok: false, pid: own, host: hostname(), lock: join(directory, name) }
  expect(await lock(directory, other)).toEqual(held)
  expect(readdirSync(directory)).toEqual(['s.json', name])
  const another = await lockState(join(directory, 'other.json'), { owner: describeOwner(other) })
  expect(another.ok).toBe(true)
  if (another.ok) await another.release()
  if (first.ok) await first.release()
  expect((await lock(directory, other)).ok).toBe(true)
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe('kept')
})

test.each([
  ['in one container', own],
  ['in two containers with the same process id', elsewhere],
])('of two processes %s that lock it at once, exactly one succeeds', async (_where, second) => {
  for (let round = 0; round < 20; round += 1) {
    const directory = directoryWith({})
    const owners = [await otherPid(), second]
    const locks = await Promise.all(owners.map(owner => lock(directory, owner, patient)))
    expect(locks.filter(({ ok }) => ok)).toHaveLength(1)
    for (const locked of locks) if (locked.ok) await locked.release()
    expect(readdirSync(directory)).toEqual([])
  }
})

test('of many processes that replace the lock of an ended one, the file keeps at most one', async () => {
  for (let round = 0; round < 20; round += 1) {
    const directory = directoryWith({ [name]: textOf(describeOwner(own), 'then') })
    const locks = await Promise.all(Array.from({ length: 5 }, () => lock(directory, own, slow)))
    const kept = await Promise.all(locks.map(async locked => locked.ok && (await locked.confirm())))
    expect(kept.filter(held => held === undefined)).toHaveLength(1)
  }
})

test('the lock of a killed process, and what it wrote, are removed at once, also if its process id has another process', async ({
  skip,
}) => {
  const [ended, other] = [await endedPid(), await otherPid()]
  requireOrSkip({ skip }, 'a system that says when a process began', birthOf(other) || undefined)
  for (const pid of [ended, own, other]) {
    const directory = directoryWith({
      [name]: textOf(describeOwner(pid), 'then'),
      [`s.json.${id}.tmp`]: '{"vers',
      's.json.x.tmp': '',
    })
    expect((await lock(directory, own, slow)).ok).toBe(true)
    expect(readdirSync(directory).toSorted()).toEqual([name, 's.json.x.tmp'])
  }
})

describe('a lock of another container or machine', () => {
  test('is believed while it is touched, whatever its process id and the time of its clock', async () => {
    const directory = directoryWith({})
    const first = await lock(directory, elsewhere, fast)
    // Clocks of two machines differ.
    utimesSync(join(directory, name), 0, 0)
    const wanted = { ok: false, pid: own, host: 'web-2' }
    expect(await lock(directory, own, fast)).toMatchObject(wanted)
    if (first.ok) await first.release()
    writeFileSync(join(directory, name), textOf(elsewhere))
    utimesSync(join(directory, name), new Date(), new Date(Date.now() + 3_600_000))
    expect((await lock(directory, own, fast)).ok).toBe(true)
  })

  test('that is just being written is read again', async () => {
    const directory = directoryWith({ [name]: '{"pi' })
    const finish = () => writeFileSync(join(directory, name), textOf(elsewhere))
    expect(await lock(directory, own, slow, finish)).toMatchObject({ ok: false, host: 'web-2' })
  })

  test.each(['', 'no JSON', textOf(elsewhere)])('with the text %j is removed after the wait', async text => {
    const directory = directoryWith({ [name]: text })
    let waits = 0
    const began = performance.now()
    expect((await lock(directory, own, fast, () => (waits += 1))).ok).toBe(true)
    expect(performance.now() - began).toBeGreaterThanOrEqual(fast.staleMs)
    expect(waits).toBe(1)
  })
})

describe('a server whose directory is removed and made again', () => {
  function replace(directory: string) {
    rmSync(directory, { recursive: true })
    mkdirSync(directory)
  }

  test('locks the file again, and the next server is refused', async () => {
    const directory = directoryWith({})
    const first = await lock(directory, await otherPid(), fast)
    replace(directory)
    while (!existsSync(join(directory, name))) await new Promise(resolve => setTimeout(resolve, 5))
    expect((await lock(directory, own, fast)).ok).toBe(false)
    expect(first.ok && (await first.confirm())).toBe(undefined)
  })

  test.each([
    ['in the same container', own],
    ['in another one', elsewhere],
  ])('gives the file up, for good, if another server %s was faster', async (_where, second) => {
    const directory = directoryWith({})
    const first = await lock(directory, await otherPid(), { beatMs: 60_000, staleMs: 400 })
    replace(directory)
    const other = await lock(directory, second, fast)
    expect(other.ok).toBe(true)
    expect(first.ok && (await first.confirm())).toMatchObject({ ok: false, pid: own })
    if (other.ok) await other.release()
    expect(first.ok && (await first.confirm())).toMatchObject({ ok: false, pid: own })
    expect(readdirSync(directory)).toEqual([])
  })

  test('learns of the missing directory, and continues when it is back', async () => {
    const directory = directoryWith({})
    const first = await lock(directory, own, slow)
    rmSync(directory, { recursive: true })
    await expect(first.ok && first.confirm()).rejects.toMatchObject({ code: 'ENOENT' })
    mkdirSync(directory)
    expect(first.ok && (await first.confirm())).toBe(undefined)
    expect(readdirSync(directory)).toEqual([name])
  })
})

test('a zombie process does not run', async ({ skip }) => {
  requireOrSkip({ skip }, 'a system that says when a process began', birthOf(own) || undefined)
  // The parent never waits for its child.
  const parent = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'])
  onTestFinished(() => {
    parent.kill('SIGKILL')
  })
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(`${line}`)
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n')
    await new Promise(resolve => setImmediate(resolve))
  expect(birthOf(pid)).toMatch(/ \d+$/)
  process.kill(pid, 'SIGKILL')
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
    await new Promise(resolve => setImmediate(resolve))
  expect(birthOf(pid)).toBe(undefined)
})
