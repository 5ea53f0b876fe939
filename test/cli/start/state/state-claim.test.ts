import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { birthOf } from '../../../../src/cli/start/state/processes.ts'
import { claimState } from '../../../../src/cli/start/state/state-claim.ts'
import { directoryWith } from '../../../support/directory.ts'
import { requireOrSkip } from '../../../support/requirements.ts'

const own = process.pid

/** Of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

/** A process that runs until the test is over. */
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

test('who claims a file has it until it is released', async () => {
  const directory = directoryWith({ 's.json': 'kept' })
  const other = await otherPid()
  const claim = await claimState(directory, 's.json', own)
  expect(claim).toMatchObject({ ok: true })
  expect(readdirSync(directory)).toEqual(['s.json', `s.json.${own}.lock`])
  expect(await claimState(directory, 's.json', other)).toEqual({
    ok: false,
    pid: own,
    lock: `s.json.${own}.lock`,
  })
  expect(readdirSync(directory)).toEqual(['s.json', `s.json.${own}.lock`])
  expect(await claimState(directory, 'other.json', other)).toMatchObject({ ok: true })
  if (claim.ok) await claim.release()
  expect(await claimState(directory, 's.json', other)).toMatchObject({ ok: true })
  expect(readFileSync(join(directory, 's.json'), 'utf8')).toBe('kept')
})

test('of two that claim it at once, never both have it', async () => {
  const other = await otherPid()
  for (let round = 0; round < 50; round += 1) {
    const directory = directoryWith({})
    const claims = await Promise.all([own, other].map(pid => claimState(directory, 's.json', pid)))
    expect(claims.filter(({ ok }) => ok).length).toBeLessThan(2)
    for (const claim of claims) if (claim.ok) await claim.release()
    expect(readdirSync(directory)).toEqual([])
  }
})

test.each<[what: string, file: (ended: number) => string, text: string]>([
  ['a process that was killed', ended => `s.json.${ended}.lock`, ''],
  ['a process that was killed while it wrote', ended => `s.json.${ended}.tmp`, '{"vers'],
  ['a process of the number that this one has now', () => `s.json.${own}.lock`, 'long ago'],
])('the claim of %s is none, and is removed', async (_what, file, text) => {
  const directory = directoryWith({ [file(await endedPid())]: text, 's.json.x.lock': '' })
  expect(await claimState(directory, 's.json', own)).toMatchObject({ ok: true })
  expect(readdirSync(directory).toSorted()).toEqual([`s.json.${own}.lock`, 's.json.x.lock'])
})

test('a claim is none when its number was given to another process', async ({ skip }) => {
  const other = await otherPid()
  const birth = (await birthOf(other)) || undefined
  requireOrSkip({ skip }, 'a system that tells when a process began', birth)
  const directory = directoryWith({ [`s.json.${other}.lock`]: `${birth}1` })
  expect(await claimState(directory, 's.json', own)).toMatchObject({ ok: true })
  expect(readdirSync(directory)).toEqual([`s.json.${own}.lock`])
})

test.each(['', undefined])('a claim holds where its process runs, and it says %j', async said => {
  const other = await otherPid()
  const directory = directoryWith({ [`s.json.${other}.lock`]: said ?? (await birthOf(other)) ?? '' })
  expect(await claimState(directory, 's.json', own)).toMatchObject({ ok: false, pid: other })
  expect(readdirSync(directory)).toEqual([`s.json.${other}.lock`])
})

test('a process that has ended, of which its parent was not told, does not run', async ({ skip }) => {
  requireOrSkip({ skip }, 'a system that tells when a process began', (await birthOf(own)) || undefined)
  // What the shell becomes never asks how its child ended.
  const parent = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'])
  onTestFinished(() => {
    parent.kill('SIGKILL')
  })
  const [told] = await once(parent.stdout, 'data')
  const pid = Number(`${told}`)
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n')
    await new Promise(resolve => setImmediate(resolve))
  expect(await birthOf(pid)).toMatch(/ \d+$/)
  process.kill(pid, 'SIGKILL')
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
    await new Promise(resolve => setImmediate(resolve))
  expect(await birthOf(pid)).toBe(undefined)
})
