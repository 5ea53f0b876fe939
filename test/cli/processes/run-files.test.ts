import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { writeRunFile } from '../../../src/cli/start/run-files.ts'
import { directoryWith } from '../../support/directory.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** A temporary directory of its own, and the folder of its run files. */
function runFolder(): string {
  const temporary = directoryWith({})
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary)
  return join(temporary, `pet-mock-${process.getuid?.() ?? 'user'}`)
}

it('a reader has all of a run file, also while it is written anew', () => {
  const folder = runFolder()
  const remove = writeRunFile({ pid: 7, admin: 'http://127.0.0.1:1/' })
  const reader = openSync(join(folder, '7.json'), 'r')
  writeRunFile({ pid: 7, admin: 'http://127.0.0.1:2/' })
  const ports = [reader, join(folder, '7.json')].map(file => JSON.parse(readFileSync(file, 'utf8')).admin)
  closeSync(reader)
  expect(ports).toEqual(['http://127.0.0.1:1/', 'http://127.0.0.1:2/'])
  expect(readdirSync(folder)).toEqual(['7.json'])
  remove()
  expect(readdirSync(folder)).toEqual([])
})

it('a run file that cannot be written leaves nothing', () => {
  const folder = runFolder()
  mkdirSync(join(folder, '7.json'), { recursive: true, mode: 0o700 })
  writeRunFile({ pid: 7, admin: 'http://127.0.0.1:1/' })
  expect(readdirSync(folder)).toEqual(['7.json'])
})

it('is not written where the system makes no folder', () => {
  // In /proc, where there is one, Node's own way to make folders never ends.
  const places = [join(directoryWith({ file: '' }), 'file'), '/proc/none']
  for (const place of places.slice(0, process.platform === 'linux' ? 2 : 1)) {
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, place)
    expect(() => writeRunFile({ pid: 7, admin: 'http://127.0.0.1:1/' })()).not.toThrow()
  }
})
