import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/service/keys/mask.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test('a label keeps a secret in memory, and not the text around it', () => {
  const secrets = createSecrets()
  const before = heapUsed()
  for (let number = 0; number < 100; number += 1) {
    const text = `token-name-of-call-${number}: secret of the call ${number}${'.'.repeat(500_000)}`
    const [name = '', value = ''] = /^(.*): (.*?\d+)/.exec(text)?.slice(1) ?? []
    expect(secrets.isSecret(name)).toBe(true)
    expect(secrets.mask(value)).toContain('secre…')
    expect(secrets.mask(text)).toContain('token-…')
  }
  expect(heapUsed() - before).toBeLessThan(10_000_000)
  expect(secrets.mask('secret of the call 7')).toBe('secre…#8')
})

test('a secret of half characters keeps its label', () => {
  const { mask } = createSecrets()
  expect([mask('12345678\ud800'), mask('12345678\ud800'), mask('12345678\ud801')]).toEqual([
    '12…',
    '12…',
    '12…#2',
  ])
})
