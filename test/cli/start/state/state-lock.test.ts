import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LockPace } from '../../../../src/cli/start/state/lock-file.ts'
import { birthOf, describeOwner, type LockOwner } from '../../../../src/cli/start/state/lock-owner.ts'
import { lockState } from '../../../../src/cli/start/state/state-lock.ts'
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
/** Fast, so that nobody waits; slow, so that nothing happens by itself. */
const [fast, slow] = [
  { beatMs: 20, staleMs: 400 },
  { beatMs: 60_000, staleMs: 600_000 },
]

async function lock(directory: string, owner: LockOwner | number, pace?: LockPace) {
  const described = typeof owner === 'number' ? describeOwner(owner) : owner
  const locked = await lockState(directory, 's.json', { owner: described, ...(pace && { pace }) })
  if (locked.ok) onTestFinished(() => locked.release().catch(() => {}))
  return locked
}

const lockNames = (directory: string) => readdirSync(directory).filter(name => name.endsWith('.lock'))
const nameOf = (pid: number) => new RegExp(`^s\\.json\\.${pid}-[0-9a-f]{8}\\.lock$`)

test('a file is locked until it is released', async () => {
  const directory = directoryWith({ 's.json': 'kept' })
  const other = await otherPid()
  const first = await lock(directory, own)
  expect(first).toMatchObject({ ok: true })
  const [name = ''] = lockNames(directory)
  expect(name).toMatch(nameOf(own))
  expect(await lock(directory, other)).toEqual({ ok: false, pid: own, host: hostname(), lock: name })
  expect(readdirSync(directory)).toEqual(['s.json', name])
  const another = await lockState(directory, 'other.json', { owner: describeOwner(other) })
  expect(another.ok).toBe(true)
  if (another.ok) await another.release()
  if (first.ok) await first.release()
  expect(await lock(directory, other)).toMatchObject({ ok: true })
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe('kept')
})

test.each([
  ['in one container', own],
  ['in two containers with the same process id', elsewhere],
])('of two processes %s that lock it at once, never both succeed', async (_where, second) => {
  for (let round = 0; round < 20; round += 1) {
    const directory = directoryWith({})
    const owners = [await otherPid(), second]
    const locks = await Promise.all(owners.map(owner => lock(directory, owner, fast)))
    expect(locks.filter(({ ok }) => ok).length).toBeLessThan(2)
    for (const locked of locks) if (locked.ok) await locked.release()
    expect(readdirSync(directory)).toEqual([])
  }
})

const textOf = async (pid: number, born?: string) => {
  const owner = describeOwner(pid)
  return JSON.stringify({ ...owner, ...(born !== undefined && { born }), beat: '0' })
}

test.each<[what: string, file: (ended: number) => string, text: (ended: number) => Promise<string>]>([
  ['a process that was killed', ended => `s.json.${ended}-0123abcd.lock`, ended => textOf(ended, 'then')],
  ['a process that was killed while it wrote', ended => `s.json.${ended}-0123abcd.tmp`, async () => '{"vers'],
  [
    'a former process with the id of this one',
    () => `s.json.${own}-0123abcd.lock`,
    () => textOf(own, 'then'),
  ],
])('the lock of %s is removed at once', async (_what, file, text) => {
  const ended = await endedPid()
  const directory = directoryWith({ [file(ended)]: await text(ended), 's.json.x.lock': '' })
  expect(await lock(directory, own, slow)).toMatchObject({ ok: true })
  expect(readdirSync(directory).toSorted()).toEqual([expect.stringMatching(nameOf(own)), 's.json.x.lock'])
})

test('a lock is void when its process id was given to another process', async ({ skip }) => {
  const other = await otherPid()
  const birth = birthOf(other) || undefined
  requireOrSkip({ skip }, 'a system that says when a process began', birth)
  const directory = directoryWith({ [`s.json.${other}-0123abcd.lock`]: await textOf(other, `${birth}1`) })
  expect(await lock(directory, own, slow)).toMatchObject({ ok: true })
})

describe('a lock of another container or machine', () => {
  test('is believed while it is touched, whatever its process id', async () => {
    const directory = directoryWith({})
    expect((await lock(directory, elsewhere, fast)).ok).toBe(true)
    expect(await lock(directory, own, fast)).toMatchObject({ ok: false, pid: own, host: 'web-2' })
    expect(lockNames(directory)).toHaveLength(1)
  })

  test('is believed when it was touched long ago by its own clock, and removed when it is touched no more', async () => {
    const directory = directoryWith({})
    const first = await lock(directory, elsewhere, fast)
    const [name = ''] = lockNames(directory)
    // Clocks of two machines differ, so times of files mean nothing.
    utimesSync(join(directory, name), 0, 0)
    expect((await lock(directory, own, fast)).ok).toBe(false)
    if (first.ok) await first.release()
    writeFileSync(join(directory, name), JSON.stringify({ ...elsewhere, beat: '7' }))
    utimesSync(join(directory, name), new Date(), new Date(Date.now() + 3_600_000))
    expect((await lock(directory, own, fast)).ok).toBe(true)
    expect(lockNames(directory)).toEqual([expect.stringMatching(nameOf(own))])
  })

  test.each([
    ['is whole again', true],
    ['stays half', false],
  ])('whose text is half written at a look, and %s, names its process', async (_what, isWhole) => {
    const name = 's.json.17-0123abcd.lock'
    const path = join(directoryWith({}), name)
    const textAt = (beat: string) => JSON.stringify({ ...elsewhere, pid: 17, beat })
    writeFileSync(path, textAt('1'))
    const touch = () => {
      writeFileSync(path, '{"pi')
      if (isWhole) setTimeout(() => writeFileSync(path, textAt('2')), 150)
    }
    const pace = isWhole ? slow : fast
    const locked = await lockState(dirname(path), 's.json', {
      owner: describeOwner(own),
      pace,
      onWait: touch,
    })
    expect(locked).toEqual({ ok: false, pid: 17, host: 'web-2', lock: name })
    expect(lockNames(dirname(path))).toEqual([name])
  })

  test.each(['', 'no JSON'])('with the text %j is believed as long', async text => {
    const directory = directoryWith({ 's.json.7-0123abcd.lock': text })
    let waits = 0
    const began = performance.now()
    const options = { owner: describeOwner(own), pace: fast, onWait: () => (waits += 1) }
    const locked = await lockState(directory, 's.json', options)
    expect(locked.ok).toBe(true)
    expect(performance.now() - began).toBeGreaterThanOrEqual(fast.staleMs)
    expect(waits).toBe(1)
    if (locked.ok) await locked.release()
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
    while (lockNames(directory).length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    expect(await lock(directory, own, fast)).toMatchObject({ ok: false })
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
    expect(lockNames(directory)).toEqual([])
  })

  test('learns of the missing directory, and continues when it is back', async () => {
    const directory = directoryWith({})
    const first = await lock(directory, own, slow)
    rmSync(directory, { recursive: true })
    await expect(first.ok && first.confirm()).rejects.toMatchObject({ code: 'ENOENT' })
    mkdirSync(directory)
    expect(first.ok && (await first.confirm())).toBe(undefined)
    expect(lockNames(directory)).toHaveLength(1)
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
