/*
 * Draws docs/rehearsal.svg, or the file that is named: what a terminal shows after a rehearsal of a client. A test compares
 * it with what is committed. Run by hand when the output changes: `npm run build && npx tsx tools/build/picture/rehearsal.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { commandWords, root } from '../../program/pet-mock.ts'
import { columns, drawTerminal, openTerminal } from './draw-terminal.ts'

const [file = `${root}docs/rehearsal.svg`] = process.argv.slice(2)
const words =
  "rehearse --only 'ban*,retry-after,lost-reply,outage,flaky,midnight' -- node with-axios-retry.js"
const { output, ended } = openTerminal(
  `node ${commandWords.join(' ')} ${words}`,
  `${root}test/clients/programs`,
)
await ended

// The terminal shows a table that changes, until it is erased.
const shown = output().split('\u001b[J').at(-1)
const text = `$ npx pet-mock ${words}\n${shown}`
await writeFile(file, drawTerminal(text, { columns, label: 'pet-mock rehearse in a terminal' }))
