import { readJson } from '../../base/json/read.ts'
import { formatSize, groupDigits } from '../../base/text/quantities.ts'
import { NotText } from '../../control/files/document.ts'
import type { Answer } from '../../library/client/ask-plane.ts'
import { explainFileError, maxSnapshotBytes, readText, Unreadable } from '../../library/files/read-file.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'
import { formatPace } from '../terminal/quantities.ts'
import { cell, tableLines } from '../terminal/table.ts'
import type { Session } from './server-command.ts'
import { planeCommand, serverCommand } from './server-command.ts'

/* The whole state of a server. */

export const reset = planeCommand({
  name: 'reset',
  about: 'Restarts the scenario: pets, counters, bans, clock and rules.',
  notes: ['It also empties the journal.'],
  examples: [["$0 reset --sandbox '*'", 'all sandboxes']],
  calls: 'reset',
  lines: sandboxLines('reset'),
})

export const snapshot: CommandGroup = {
  name: 'snapshot',
  about: 'Saves the whole state to a file, and restores it.',
  commands: [
    serverCommand({
      name: 'save',
      words: 'FILE',
      about: 'Saves the whole state to a file. It replaces an existing file.',
      examples: [["$0 snapshot save all.json --sandbox '*'", 'all sandboxes']],
      act: save,
    }),
    serverCommand({
      name: 'load',
      words: 'FILE',
      about: 'Restores the state from a file, completely or not at all.',
      notes: ["A snapshot of all sandboxes needs --sandbox '*', and replaces all sandboxes."],
      act: load,
    }),
  ],
}

export const state: CommandGroup = {
  name: 'state',
  about: 'Saves the file of --state now.',
  commands: [
    planeCommand({
      name: 'save',
      about: 'Saves the file of --state. Returns when the effects of all earlier calls are on disk.',
      calls: 'saveState',
      lines: fileLines('saved'),
    }),
  ],
}

/** A line for each changed sandbox. `done`: what the command did to it, such as `reset`. */
function sandboxLines(done: string) {
  return ({ sandboxes }: Answer<'reset'>, { paint }: Pick<Session, 'paint'>) =>
    tableLines(
      sandboxes.map(({ name, scenario, clock, pets, keys }) => [
        cell(done, { style: 'green' }),
        cell(name, { style: 'bold' }),
        cell(scenario),
        cell(`${groupDigits(pets)} pets`, { atRight: true }),
        cell(`${groupDigits(keys)} keys`, { atRight: true }),
        cell(`${clock.at}, ${formatPace(clock)}`, { style: 'dim' }),
      ]),
      paint,
    )
}

function fileLines(done: string) {
  return ({ file, bytes }: Answer<'saveState'>, { paint }: Pick<Session, 'paint'>) => [
    `${paint('green', done)} ${printable(file)}  ${paint('dim', `${groupDigits(bytes)} bytes`)}`,
  ]
}

async function save(session: Session): Promise<number> {
  const { ask, askAsIs, words, io } = session
  const [path = ''] = words
  const text = `${JSON.stringify(await askAsIs('takeSnapshot'))}\n`
  const { writeWholeFile } = await import('../start/state/write-whole-file.ts')
  try {
    await writeWholeFile(path, `${path}.${io.pid}.tmp`, () => [text])
  } catch (error) {
    return refuseUsage([`${path} cannot be written (${explainFileError(error)})`], io)
  }
  const bytes = Buffer.byteLength(text)
  session.print({ file: path, bytes }, saved => fileLines('wrote')(saved, session))
  const { snapshotLimit } = await ask('getHealth', {}, { sandbox: undefined })
  if (snapshotLimit !== undefined && bytes > snapshotLimit)
    io.stderr.write(
      `This server loads at most ${formatSize(snapshotLimit)}. To load this snapshot, start pet-mock with --snapshot-limit ${Math.ceil(bytes / 2 ** 20)}MB.\n`,
    )
  return exitCodes.fine
}

async function load(session: Session): Promise<number> {
  const { words, io, ask, print } = session
  const [path = ''] = words
  const reading = await readJsonFile(path)
  if ('problem' in reading) return refuseUsage([`${path} ${reading.problem}`], io)
  print(await ask('restoreSnapshot', reading.value), answer => sandboxLines('loaded')(answer, session))
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
