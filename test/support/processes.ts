import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** Waits until a process has ended. It may stay as a zombie: in a container, often nobody waits for orphans. */
export async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(0)
  const end = performance.now() + 10_000
  while (!isGone(pid) && performance.now() < end) await sleep(20)
  expect(isGone(pid)).toBe(true)
}

function isGone(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return /^(?:Z.*)?$/.test(stdout.trim())
}
