import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { requireOrSkip } from '../support/requirements.ts'
import { runCommand } from '../support/run-command.ts'
import type { Failure } from './failures.ts'
import { serve, untilFile } from './served.ts'

async function kill(): Promise<void> {
  const directory = directoryWith({ 'tmp/x': '' })
  const file = join(directory, 's.json')
  const env = { TMPDIR: join(directory, 'tmp') }
  const first = await serve(['--state', file], { env })
  await first.addPet('Rex')
  await untilFile(file, '"Rex"')
  first.child.kill('SIGKILL')
  await first.ended
  expect(locksIn(directory)).toEqual([first.child.pid])

  const second = await serve(['--state', file], { env })
  expect(await second.petNamed(101)).toBe('Rex')
  expect(locksIn(directory)).toEqual([second.child.pid])
  const { stdout } = await runCommand(['ps', '--json'], { env })
  expect(JSON.parse(stdout).servers).toEqual([expect.objectContaining({ pid: second.child.pid })])
  // It waited for no sign of life.
  expect(await second.stop()).toMatchObject({
    code: 0,
    stderr: `Restored from ${file}: free-plan, 101 pets.\n`,
  })
}

/** The processes that the locks in a directory name. */
const locksIn = (directory: string) =>
  readdirSync(directory)
    .filter(name => name.endsWith('.lock'))
    .map(name => JSON.parse(readFileSync(join(directory, name), 'utf8')).pid)

async function portInUse(): Promise<void> {
  const directory = directoryWith({ 's.json': '' })
  const file = join(directory, 's.json')
  const made = await serve(['--state', join(directory, 'made.json')])
  await made.addPet('Tom')
  await made.stop()
  const text = readFileSync(join(directory, 'made.json'), 'utf8')
  writeFileSync(file, text)

  const first = await serve([])
  const { port } = new URL(first.ready.url)
  const { code, stderr } = await runCommand(['--port', port, '--state', file])
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining(`in use by another pet-mock, process ${first.child.pid}.`),
  })
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(locksIn(directory)).toEqual([])
  expect(await first.listPets()).toBe(200)
}

const libraries = ['x86_64', 'aarch64'].map(cpu => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`)

async function hangup(): Promise<void> {
  const directory = directoryWith({})
  const file = join(directory, 's.json')
  const first = await serve(['--state', file])
  await first.addPet('Rex')
  first.child.kill('SIGHUP')
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(directory)).toEqual(['s.json'])
  expect(readFileSync(file, 'utf8')).toContain('"Rex"')

  const detached = await serve([], { env: { _: '/usr/bin/nohup' } })
  detached.child.kill('SIGHUP')
  expect(await detached.listPets()).toBe(200)
  expect(await detached.stop()).toMatchObject({ code: 0, stderr: '' })
}

/** faketime moves the clock of the system, and leaves the monotonic one, as setting a clock does. */
async function clockSetBack(context: Parameters<Failure>[0]): Promise<void> {
  const library = requireOrSkip(context, 'faketime', libraries.find(existsSync))
  const file = join(directoryWith({ clock: '+0s' }), 'clock')
  const env = {
    ...{ LD_PRELOAD: library, DONT_FAKE_MONOTONIC: '1' },
    ...{ FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
  }
  const server = await serve(['-s', 'rate-limit-exhaustion'], { env })
  const call = async () => {
    const headers = { Authorization: 'Bearer demo-free' }
    const response = await fetch(`${server.ready.url}/pets`, { headers })
    await response.text()
    const wait = Number(response.headers.get('retry-after'))
    return { status: response.status, wait, date: Date.parse(response.headers.get('date') ?? '') }
  }
  for (let count = 0; count < 3; count += 1) expect((await call()).status).toBe(200)
  const before = await call()
  expect(before.status).toBe(429)
  writeFileSync(file, '-2h')
  const after = await call()
  expect(after.status).toBe(429)
  expect(after.wait).toBeLessThanOrEqual(before.wait)
  expect(after.date).toBeGreaterThanOrEqual(before.date)
  await call()
  const { code, stderr } = await server.stop()
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^The system's clock went back by 2h\. [^\n]+\n$/),
  })
}

export const processFailures: Readonly<Record<string, Failure>> = {
  '`kill -9`': kill,
  'port in use': portInUse,
  'terminal closed (SIGHUP)': hangup,
  'system clock set back': clockSetBack,
}
