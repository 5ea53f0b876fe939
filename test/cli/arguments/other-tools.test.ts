import { expect, test } from 'vitest'
import { hostAfterHelp } from '../../../src/cli/arguments/other-tools.ts'

/* In Prism and json-server, -h is the host. */
test.each([
  ['-h 0.0.0.0', '0.0.0.0'],
  ['-h0.0.0.0', '0.0.0.0'],
  ['-h[::1]', '::1'],
  ['-h [::1]', '::1'],
  ['exec -h=localhost -- node', 'localhost'],
  ['serve -h pets.test -p 80', 'pets.test'],
  ['-p 80 -h ::', '::'],
  ['-h ::1', '::1'],
  ['-h', undefined],
  ['serve -h', undefined],
  ['-h serve', undefined],
  ['-h nearly.yaml', undefined],
  ['-h -p 80', undefined],
  ['--help 0.0.0.0', undefined],
  ['exec -h -- node -h 0.0.0.0', undefined],
])('%s -> %s', (line, host) => {
  expect(hostAfterHelp(line.split(' '))).toBe(host)
})
