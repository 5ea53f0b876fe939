import { expect, test } from 'vitest'
import { createHostGuard } from '../../../src/emulator/gates/api-address.ts'
import { repeated } from '../../../src/service/call/headers.ts'

const check = createHostGuard(['.Example.com', 'pets.test'])

test.each([
  'example.com',
  'EXAMPLE.com',
  'example.com:8080',
  'example.com.',
  'example.com.:8080',
  'a.example.com',
  'a.b.Example.COM.',
  'pets.test',
  'localhost',
  'a.localhost:1',
  '127.0.0.1',
  '[::1]:80',
])('%s may call', host => expect(check(host)).toBeUndefined())

test.each([
  'badexample.com',
  'example.com.evil.test',
  'example.org',
  'com',
  '.com',
  'a.pets.test',
  'xpets.test',
  'example.com..',
  'evil.test',
])('%s may not', host => expect(check(host)?.code).toBe('host_not_allowed'))

test.each(["a'$(id)'", 'a;b', 'a&b', '-x', 'a!b', 'a'.repeat(300)])(
  'nothing is suggested for %s, which the flag does not take',
  host => expect(check(host)?.message).not.toContain('--allowed-hosts'),
)

test('a name that the flag takes is suggested', () => {
  expect(check('Evil.test:80')?.message).toContain(
    'Start pet-mock with --allowed-hosts evil.test to allow it.',
  )
})

test('a call without a host may call, and one with several may not', () => {
  const message = 'Send the Host header once, as a name or an address with an optional port.'
  for (const guard of [check, createHostGuard('*')]) {
    expect(guard(undefined)).toBeUndefined()
    for (const host of [repeated, '', 'a/b', ':80'] as const)
      expect(guard(host)).toEqual({ code: 'bad_request', message })
  }
  expect(createHostGuard('*')('evil.test')).toBeUndefined()
})
