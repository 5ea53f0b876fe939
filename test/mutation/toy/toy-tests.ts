import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { fits, remembers, waits } from './code.ts'

test('refuses more than the limit', () => {
  expect(fits(11)).toBe(false)
})

test('accepts less', () => {
  expect(fits(9)).toBe(true)
})

test('waits', async () => {
  expect(await waits()).toBe('done')
})

test('remembers nothing', () => {
  expect(remembers()).toBe(0)
})

test('starts a process', () => {
  expect(execFileSync(process.execPath, ['--version'], { encoding: 'utf8' })).toContain('v')
})
