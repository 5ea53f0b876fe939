import { readJson } from '../../base/json/read.ts'
import { NotText } from '../../control/files/decode.ts'
import { explainFileError, readText, Unreadable } from '../../doors/disk/read-text.ts'
import type { ClockState, Snapshot } from '../../library/client/controls.ts'
import { serverFlags } from '../arguments/server-flags.ts'
import { writeWholeFile } from '../start/state/write-whole-file.ts'
import { formatPace } from '../terminal/clock-pace.ts'
import { groupDigits } from '../terminal/group-digits.ts'
import { cell, tableLines } from '../terminal/table.ts'
import { BadFile, expectWords, onServer, type Session } from './on-server.ts'

interface Sandboxes {
  readonly sandboxes: readonly {
    readonly name: string
    readonly scenario: string
    readonly clock: ClockState
    readonly pets: number
    readonly keys: number
  }[]
}

/** What became of sandboxes: a line for each. */
function tell({ tell, paint }: Session<unknown>, done: string, answer: Sandboxes): void {
  tell(answer, ({ sandboxes }) =>
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
    ),
  )
}

export const reset = onServer(serverFlags, {
  act: async session => tell(session, 'reset', await session.ask('POST', '/reset')),
})

export const save = onServer(serverFlags, {
  check: words => expectWords(words, 'snapshot save', ['FILE']),
  act: async ({ ask, tell, words: [path = ''], paint, io }) => {
    const text = `${JSON.stringify(await ask<Snapshot>('GET', '/snapshot'))}\n`
    try {
      await writeWholeFile(path, `${path}.${io.pid}.tmp`, () => [text])
    } catch (error) {
      throw new BadFile(`${path} cannot be written (${explainFileError(error)})`)
    }
    tell({ file: path, bytes: Buffer.byteLength(text) }, ({ file, bytes }) => [
      `${paint('green', 'wrote')} ${file}  ${paint('dim', `${groupDigits(bytes)} bytes`)}`,
    ])
  },
})

export const load = onServer(serverFlags, {
  check: words => expectWords(words, 'snapshot load', ['FILE']),
  act: async session => {
    const [path = ''] = session.words
    const reading = readJson(await textOf(path))
    if ('problem' in reading) throw new BadFile(`${path} is no JSON: ${reading.problem}`)
    tell(session, 'loaded', await session.ask('PUT', '/snapshot', reading.value))
  },
})

async function textOf(path: string): Promise<string> {
  try {
    return await readText(path)
  } catch (error) {
    if (error instanceof Unreadable) throw new BadFile(`${path} cannot be read (${error.message})`)
    if (error instanceof NotText) throw new BadFile(`${path} is no JSON: ${error.message}`)
    throw error
  }
}
