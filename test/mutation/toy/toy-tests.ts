import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { fits, remembers, spared, waits } from './code.ts'

let ran = 0

afterAll(() => {
  // Like a test file that expects to have seen everything: it fails when only some of its tests run.
  expect(ran).toBe(2)
})

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

test('makes something', () => {
  ran += spared()
  expect(ran).toBe(1)
})

test('needs the test before it', () => {
  ran += spared()
  expect(ran).toBe(2)
})
