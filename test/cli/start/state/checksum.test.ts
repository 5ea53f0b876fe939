import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStateFile, withChecksum } from '../../../../src/cli/start/state/state-file.ts'
import { captureSandboxes, writeSandboxes } from '../../../../src/control/snapshot/take.ts'
import { createEmulator } from '../../../../src/emulator/emulator.ts'
import { changing } from '../../../support/changes.ts'
import { directoryWith } from '../../../support/directory.ts'
import { scenarioOf } from '../../../support/scenarios.ts'

const emulator = createEmulator({ scenario: scenarioOf({ pets: { count: 3 } }), startedAt: 0 })
changing(emulator)({ do: 'addPet', name: 'Žofie 🐕', categoryId: 2n ** 60n })
const old = [...writeSandboxes(captureSandboxes(emulator.sandboxes))].join('')
const file = Buffer.from([...withChecksum([old.slice(0, 70), old.slice(70, -2), old.slice(-2)])].join(''))

/** Whether a server would start from a file with these bytes. It is not changed in either case. */
async function opens(path: string, bytes: Uint8Array): Promise<boolean> {
  writeFileSync(path, bytes)
  const opening = await openStateFile(path, '--state', process.pid)
  if (opening.ok) await opening.value.release()
  expect(readFileSync(path)).toEqual(Buffer.from(bytes))
  return opening.ok && opening.value.snapshot !== undefined
}

test.each<[what: string, bytes: Uint8Array]>([
  ['with its checksum', file],
  ['of an older pet-mock, without a checksum', Buffer.from(old)],
])('a file %s is read', async (_what, bytes) => {
  expect(await opens(join(directoryWith({}), 's.json'), bytes)).toBe(true)
})

test('a checksum is the last field of valid JSON', () => {
  expect(JSON.parse(`${file}`)).toEqual({
    ...JSON.parse(old),
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

const half = file.length >> 1
const places = Array.from({ length: 30 }, (_, index) => Math.floor((index * (file.length - 1)) / 29))
const text = `${file}`
const lines = text.split('\n')

/** Everything that a bad disk, a bad copy or a merge does to a file. */
const corruptions: readonly (readonly [how: string, made: readonly Uint8Array[]])[] = [
  [
    'one bit flipped',
    places.flatMap(at => [0, 1, 2, 3, 4, 5, 6, 7].map(bit => withByte(at, byte => byte ^ (1 << bit)))),
  ],
  ['a byte set to zero', places.map(at => withByte(at, () => 0))],
  ['a byte set to a space', places.filter(at => file[at] !== 32).map(at => withByte(at, () => 32))],
  ['cut off', places.slice(1).map(at => file.subarray(0, at))],
  ['begun late', places.slice(1).map(at => file.subarray(at))],
  ['a byte missing', places.map(at => Buffer.concat([file.subarray(0, at), file.subarray(at + 1)]))],
  ['a byte twice', places.map(at => Buffer.concat([file.subarray(0, at + 1), file.subarray(at)]))],
  ['halves swapped', [Buffer.concat([file.subarray(half), file.subarray(0, half)])]],
  [
    'a block of zeros',
    places.slice(0, -1).map(at => Buffer.from(file).fill(0, at, Math.min(at + 64, file.length))),
  ],
  ['a line missing', lines.slice(0, -1).map((_, at) => Buffer.from(lines.toSpliced(at, 1).join('\n')))],
  [
    'a digit changed',
    [...text.matchAll(/[0-8]/g)].map(({ index }) =>
      Buffer.from(`${text.slice(0, index)}9${text.slice(index + 1)}`),
    ),
  ],
  ['written twice', [Buffer.concat([file, file])]],
  ['followed by zeros', [Buffer.concat([file, Buffer.alloc(512)])]],
]

function withByte(at: number, change: (byte: number) => number): Uint8Array {
  const changed = Buffer.from(file)
  changed[at] = change(changed[at] ?? 0)
  return changed
}

test.each(corruptions)('a file with %s is never taken as valid', async (_how, made) => {
  expect(made.length).toBeGreaterThan(0)
  const path = join(directoryWith({}), 's.json')
  for (const bytes of made) expect(await opens(path, bytes)).toBe(false)
})
