import { createServer } from 'node:http'
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

test('listens', async () => {
  await new Promise<void>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => server.close(() => resolve()))
  })
})
