import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { directoryWith } from '../support/directory.ts'
import { protectedDirectory, smallDisk } from '../support/disks.ts'
import { runCommand } from '../support/run-command.ts'
import type { Failure } from './failures.ts'
import { serve, untilFile } from './served.ts'

const cannotSave = (file: string, reason: string) =>
  `Cannot save ${file} (${reason}). The server keeps running, and tries again to save.\n`

/** Takes what a disk has left. */
function fill(directory: string): string {
  const path = join(directory, 'filler')
  for (let block = 65_536; block >= 512; ) {
    try {
      writeFileSync(path, Buffer.alloc(block), { flag: 'a' })
    } catch {
      block /= 2
    }
  }
  return path
}

async function fullWhileRunning(context: Parameters<Failure>[0]): Promise<void> {
  const directory = smallDisk(context, 256)
  const file = join(directory, 's.json')
  const { addPet, listPets, untilTold, stop } = await serve(['--state', file])
  await untilFile(file, '\n')
  const filler = fill(directory)
  await addPet('Rex')
  await untilTold(/Cannot save.*\n/)
  await addPet('Tom')
  expect(await listPets()).toBe(200)
  // The file is the last one that was whole.
  expect(readFileSync(file, 'utf8')).toMatch(/"checksum":"[0-9a-f]{64}"\}\n$/)
  rmSync(filler)
  await untilTold(/works again/)
  await untilFile(file, '"Tom"')
  const { code, stderr } = await stop()
  const told = `${cannotSave(file, 'the disk is full')}Saving ${file} works again.\n`
  expect({ code, stderr }).toEqual({ code: 0, stderr: told })
}

async function fullAtTheEnd(context: Parameters<Failure>[0]): Promise<void> {
  const directory = smallDisk(context, 256)
  const file = join(directory, 's.json')
  const server = await serve(['--state', file], { env: { TMPDIR: directoryWith({}) } })
  await untilFile(file, '\n')
  fill(directory)
  await server.addPet('Rex')
  const { code, stderr } = await server.stop()
  expect(code).toBe(1)
  const [, copy = ''] = /The whole state is in (\S+) instead\. [^\n]+\n$/.exec(stderr) ?? []
  const again = await serve(['--state', copy])
  expect(await again.petNamed(101)).toBe('Rex')
}

async function fullAtTheStart(context: Parameters<Failure>[0]): Promise<void> {
  const directory = smallDisk(context, 64)
  fill(directory)
  const refused = await runCommand(['--port', '0', '--state', join(directory, 's.json')])
  expect(refused).toMatchObject({
    code: 2,
    stderr: `--state: cannot write to ${directory} (the disk is full)\nMore: docs/admin.md#snapshots-and---state\n`,
  })
  expect(readdirSync(directory)).toEqual(['filler'])
}

async function fullBehindOutput(): Promise<void> {
  const refused = await runCommand(['scenarios', 'show', 'ban'], { shell: 'exec 1>/dev/full' })
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'pet-mock cannot write its output (the disk is full): it is not complete.\n',
  })
}

async function stateReadOnly(context: Parameters<Failure>[0]): Promise<void> {
  const { directory, protect, release } = protectedDirectory(context)
  const file = join(directory, 's.json')
  const { addPet, untilTold, stop } = await serve(['--state', file])
  await untilFile(file, '\n')
  protect()
  await addPet('Rex')
  await untilTold(/Cannot save.*\n/)
  release()
  await untilTold(/works again/)
  await untilFile(file, '"Rex"')
  expect((await stop()).stderr).toBe(
    `${cannotSave(file, 'the disk is read-only')}Saving ${file} works again.\n`,
  )
  const kept = readFileSync(file, 'utf8')
  protect()
  const refused = await runCommand(['--port', '0', '--state', file])
  expect(refused).toMatchObject({
    code: 2,
    stderr: `--state: cannot write to ${directory} (the disk is read-only)\nMore: docs/admin.md#snapshots-and---state\n`,
  })
  expect(readdirSync(directory)).toEqual(['s.json'])
  expect(readFileSync(file, 'utf8')).toBe(kept)
}

async function reportReadOnly(context: Parameters<Failure>[0]): Promise<void> {
  const { directory, protect } = protectedDirectory(context)
  protect()
  const report = join(directory, 'report.html')
  const program = ['node', '-e', 'process.stdout.write("it ran")']
  const { code, stdout, stderr } = await runCommand(['exec', '--report', report, '--', ...program])
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('it ran') })
  expect(stderr).toContain(`${report} cannot be written (the disk is read-only).`)
}

async function temporaryReadOnly(context: Parameters<Failure>[0]): Promise<void> {
  const { directory, protect } = protectedDirectory(context)
  protect()
  const env = { TMPDIR: directory }
  const server = await serve([], { env })
  expect(await server.listPets()).toBe(200)
  expect((await runCommand(['ps', '--json'], { env })).stdout.trim()).toBe('{"servers":[]}')
  for (const command of ['stop', 'reset'])
    expect([command, (await runCommand([command], { env })).code]).toEqual([command, 3])
  expect(await runCommand(['reset', '--url', server.ready.url], { env })).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
}

export const diskFailures: Readonly<Record<string, Failure>> = {
  'full disk while it runs': fullWhileRunning,
  'full disk at the end': fullAtTheEnd,
  'full disk at the start': fullAtTheStart,
  'full disk behind stdout': fullBehindOutput,
  'read-only directory of the state file': stateReadOnly,
  'read-only directory of a report': reportReadOnly,
  'read-only temporary directory': temporaryReadOnly,
}
