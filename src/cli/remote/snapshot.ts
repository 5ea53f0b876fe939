import { readJson } from '../../base/json/read.ts'
import { groupDigits } from '../../base/text/quantities.ts'
import { formatSize } from '../../base/text/size.ts'
import { NotText } from '../../control/files/decode.ts'
import { maxSnapshotBytes } from '../../doors/disk/read-bytes.ts'
import { explainFileError, readText, Unreadable } from '../../doors/disk/read-text.ts'
import type { Snapshot } from '../../library/client/controls.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'
import { printSandboxes } from './print-sandboxes.ts'
import { serverCommand } from './server-command.ts'
import type { Session } from './session.ts'

export const snapshot: CommandGroup = {
  name: 'snapshot',
  about: 'Saves the whole state to a file, and restores it.',
  commands: [
    serverCommand({
      name: 'save',
      words: 'FILE',
      about: 'Saves the whole state to a file. It replaces an existing file.',
      flags: {},
      examples: [["$0 snapshot save all.json --sandbox '*'", 'all sandboxes']],
      act: save,
    }),
    serverCommand({
      name: 'load',
      words: 'FILE',
      about: 'Restores the state from a file, completely or not at all.',
      flags: {},
      notes: ["A snapshot of all sandboxes needs --sandbox '*', and replaces all sandboxes."],
      act: load,
    }),
  ],
}

async function save({ ask, askAsIs, print, words: [path = ''], paint, io }: Session): Promise<number> {
  const text = `${JSON.stringify(await askAsIs<Snapshot>('GET', '/snapshot'))}\n`
  const { writeWholeFile } = await import('../start/state/write-whole-file.ts')
  try {
    await writeWholeFile(path, `${path}.${io.pid}.tmp`, () => [text])
  } catch (error) {
    return refuseUsage([`${path} cannot be written (${explainFileError(error)})`], io)
  }
  const size = Buffer.byteLength(text)
  print({ file: path, bytes: size }, ({ file, bytes }) => [
    `${paint('green', 'wrote')} ${printable(file)}  ${paint('dim', `${groupDigits(bytes)} bytes`)}`,
  ])
  const { snapshotLimit } = await ask<{ readonly snapshotLimit?: number }>('GET', '/health', undefined, {
    sandbox: undefined,
  })
  if (snapshotLimit !== undefined && size > snapshotLimit)
    io.stderr.write(`${tooLargeToLoad(size, snapshotLimit)}\n`)
  return exitCodes.fine
}

function tooLargeToLoad(size: number, limit: number): string {
  const enough = `${Math.ceil(size / 2 ** 20)}MB`
  return `This server loads at most ${formatSize(limit)}. To load this snapshot, start pet-mock with --snapshot-limit ${enough}.`
}

async function load(session: Session): Promise<number> {
  const { words, io, ask } = session
  const [path = ''] = words
  const reading = await readJsonFile(path)
  if ('problem' in reading) return refuseUsage([`${path} ${reading.problem}`], io)
  printSandboxes(session, 'loaded', await ask('PUT', '/snapshot', reading.value))
  return exitCodes.fine
}

async function readJsonFile(
  path: string,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  try {
    const reading = readJson(await readText(path, maxSnapshotBytes))
    return 'problem' in reading ? { problem: `is not JSON: ${reading.problem}` } : reading
  } catch (error) {
    if (error instanceof Unreadable) return { problem: `cannot be read (${error.message})` }
    if (error instanceof NotText) return { problem: `is not JSON: ${error.message}` }
    throw error
  }
}
