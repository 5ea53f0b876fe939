import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { Connection } from '../../tools/soak/connection.ts'
import { judgeCounts } from '../../tools/soak/judge-counts.ts'
import { emptyTally } from '../../tools/soak/tally.ts'
import { requireOrSkip } from '../support/requirements.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function soak(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'tools/soak/main.ts', ...args],
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

it('gives up a call that is never answered', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = new Connection((server.address() as AddressInfo).port, 50)
  onTestFinished(() => {
    connection.close()
    server.close()
  })
  await connection.open()
  await expect(connection.call('GET / HTTP/1.1\r\n\r\n')).rejects.toThrow('no answer within 0.05 s')
})

it('does not hold when nothing was called', () => {
  const log = { calls: 0, dropped: 0, contract: 0, others: [] }
  const checks = judgeCounts(emptyTally(), { metrics: new Map(), sandboxes: [] }, log, 0)
  expect(checks.find(({ what }) => what === 'kinds of calls')).toMatchObject({
    holds: false,
    found: expect.stringMatching(/^never: broken answer, get a pet, .*, an injected 503$/),
  })
})

it('leaves no server behind when it is ended', { timeout: 120_000 }, async context => {
  requireOrSkip(context, '/proc (Linux)', process.platform === 'linux' || undefined)
  const child = spawn(process.execPath, ['--import', 'tsx', 'tools/soak/main.ts', '--short'], { cwd: root })
  onTestFinished(() => void child.kill('SIGKILL'))
  const findServer = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      .split(' ')
      .find(pid => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('memory-probe'))
  await expect.poll(findServer).toBeDefined()
  const server = findServer()
  child.kill('SIGTERM')
  await once(child, 'exit')
  await expect.poll(() => existsSync(`/proc/${server}`)).toBe(false)
})

it('refuses a wrong value', () => {
  const stderr = '--connections takes a whole number from 2 to 20000\n'
  expect(soak('--connections', '0')).toEqual({ status: 2, stdout: '', stderr })
})

it('says what to do when too few files may be open', () => {
  const line = 'ulimit -n 1000; exec "$0" --import tsx tools/soak/main.ts'
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
