import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { birthOf, lockState } from '../../../../src/cli/start/state/state-lock.ts'
import { directoryWith } from '../../../support/directory.ts'
import { requireOrSkip } from '../../../support/requirements.ts'

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

test('a file is locked until it is released', async () => {
  const directory = directoryWith({ 's.json': 'kept' })
  const other = await otherPid()
  const lock = await lockState(directory, 's.json', own)
  expect(lock).toMatchObject({ ok: true })
  expect(readdirSync(directory)).toEqual(['s.json', `s.json.${own}.lock`])
  expect(await lockState(directory, 's.json', other)).toEqual({
    ok: false,
    pid: own,
    lock: `s.json.${own}.lock`,
  })
  expect(readdirSync(directory)).toEqual(['s.json', `s.json.${own}.lock`])
  expect(await lockState(directory, 'other.json', other)).toMatchObject({ ok: true })
  if (lock.ok) await lock.release()
  expect(await lockState(directory, 's.json', other)).toMatchObject({ ok: true })
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe('kept')
})

test('of two processes that lock it at once, never both succeed', async () => {
  const other = await otherPid()
  for (let round = 0; round < 50; round += 1) {
    const directory = directoryWith({})
    const locks = await Promise.all([own, other].map(pid => lockState(directory, 's.json', pid)))
    expect(locks.filter(({ ok }) => ok).length).toBeLessThan(2)
    for (const lock of locks) if (lock.ok) await lock.release()
    expect(readdirSync(directory)).toEqual([])
  }
})

test.each<[what: string, file: (ended: number) => string, text: string]>([
  ['a process that was killed', ended => `s.json.${ended}.lock`, ''],
  ['a process that was killed while it wrote', ended => `s.json.${ended}.tmp`, '{"vers'],
  ['a former process with the id of this one', () => `s.json.${own}.lock`, 'long ago'],
])('the lock of %s is removed', async (_what, file, text) => {
  const directory = directoryWith({ [file(await endedPid())]: text, 's.json.x.lock': '' })
  expect(await lockState(directory, 's.json', own)).toMatchObject({ ok: true })
  expect(readdirSync(directory).toSorted()).toEqual([`s.json.${own}.lock`, 's.json.x.lock'])
})

test('a lock is void when its process id was given to another process', async ({ skip }) => {
  const other = await otherPid()
  const birth = (await birthOf(other)) || undefined
  requireOrSkip({ skip }, 'a system that says when a process began', birth)
  const directory = directoryWith({ [`s.json.${other}.lock`]: `${birth}1` })
  expect(await lockState(directory, 's.json', own)).toMatchObject({ ok: true })
  expect(readdirSync(directory)).toEqual([`s.json.${own}.lock`])
})

test.each(['', undefined])('the lock of a running process with the text %j is valid', async text => {
  const other = await otherPid()
  const directory = directoryWith({ [`s.json.${other}.lock`]: text ?? (await birthOf(other)) ?? '' })
  expect(await lockState(directory, 's.json', own)).toMatchObject({ ok: false, pid: other })
  expect(readdirSync(directory)).toEqual([`s.json.${other}.lock`])
})

test('a zombie process does not run', async ({ skip }) => {
  requireOrSkip({ skip }, 'a system that says when a process began', (await birthOf(own)) || undefined)
  // The parent never waits for its child.
  const parent = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'])
  onTestFinished(() => {
    parent.kill('SIGKILL')
  })
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(`${line}`)
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n')
    await new Promise(resolve => setImmediate(resolve))
  expect(await birthOf(pid)).toMatch(/ \d+$/)
  process.kill(pid, 'SIGKILL')
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
    await new Promise(resolve => setImmediate(resolve))
  expect(await birthOf(pid)).toBe(undefined)
})
