import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

function soak(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'soak/main.ts', ...args],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}

it('20,000 calls over 200 connections: every count is exact, and memory is flat', {
  timeout: 600_000,
}, () => {
  const { status, stdout } = soak('--short')
  expect(stdout).toMatch(/^Passed: all \d+ checks hold\.$/m)
  expect(stdout).toMatch(/^ {2}ok {6}answered calls +20,001$/m)
  expect(status).toBe(0)
})

it.each<[plant: string, broken: readonly string[]]>([
  ['leak', ['memory that is alive']],
  [
    'lost-count',
    [
      'metrics: operation, status, plan',
      'metrics: durations',
      'quota used, by sandbox and key',
      'journal, by sandbox',
      'lines of the log',
    ],
  ],
])('a server with the planted fault %s fails', { timeout: 600_000 }, (plant, broken) => {
  const { status, stdout } = soak('--short', '--plant', plant)
  const found = [...stdout.matchAll(/^ {2}BROKEN {2}(\S.*?) {2,}/gm)].map(([, what]) => what)
  expect(found).toEqual(expect.arrayContaining([...broken]))
  expect(stdout).toMatch(/^FAILED: \d+ of \d+ checks do not hold\.$/m)
  expect(status).toBe(1)
})

it.each([
  [['--calls', '5'], /--calls takes a whole number from 20000/],
  [['--connections', '0'], /--connections takes a whole number from 2/],
  [['--minutes', 'x'], /--minutes takes a number above 0/],
  [['--plant', 'tree'], /--plant takes leak or lost-count/],
  [['--faster'], /--faster/],
] as const)('refuses %j', (args, complaint) => {
  expect(soak(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(complaint) })
})

it('says what to do when too few files may be open', () => {
  const line = 'ulimit -n 1000; exec "$0" --import tsx soak/main.ts'
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line, process.execPath], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      '5000 connections need 5150 open files in one process, and this shell allows 1000. Allow more with "ulimit -n 5150" (as root, if the hard limit is lower), or use --connections 850.\n',
  })
})
