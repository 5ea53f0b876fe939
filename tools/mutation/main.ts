/*
 * Mutation testing: `npm run mutation`. How, and how to read it: tools/mutation/README.md.
 */
import { above0, runTool, seed, several, WrongUse, wholeNumber, yes } from '../program/flags.ts'
import { writeRun } from '../program/page.ts'
import { root } from '../program/pet-mock.ts'
import { compileSurvivors } from './compile.ts'
import { formatSurvivors, formatTable } from './report.ts'
import { type Room, readRoom, rooms } from './room.ts'
import { tryRoom } from './try-room.ts'

const names = Object.keys(rooms)

const tool = {
  name: 'mutation',
  about: `Plants small mistakes in the code, one at a time, and prints every one that no test notices, and a table.
You can stop it at any time: the next run goes on.`,
  flags: {
    room: several('NAME', `only this room: ${names.join(', ')}`, names),
    file: several('PATH', 'only mutants of sources whose path contains this, such as journal/ or ban.ts'),
    sample: wholeNumber(1)(
      'tries N mutants of each room [service and emulator: all, the others: 500]',
      undefined,
    ),
    seed: seed('chooses the sample', 1),
    budget: above0(
      'CPU time in ms that the tests of one mutant may use; a larger one tries survivors again',
      4_000,
    ),
    fresh: yes(
      'forgets what earlier runs found; otherwise only changed code and changed tests are tried again',
    ),
    report: yes('prints what earlier runs found, and tries nothing'),
    write: yes('puts the table into docs/contributors/quality.md; takes no --room, --file or --sample'),
  },
}

await runTool(tool, async ({ room: asked, file: files, sample, seed, budget, fresh, report, write }) => {
  if (write && (asked.length > 0 || files.length > 0 || sample !== undefined))
    throw new WrongUse('--write takes no --room, --file or --sample')
  const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
  const project = root.replace(/[\\/]$/, '')
  const done: Room[] = []
  for (const name of asked.length > 0 ? asked : names) {
    const size = sample ?? rooms[name]?.sample
    const room = await readRoom(project, { room: name, files, size, seed, budget, isFresh: fresh })
    if (!report) {
      await tryRoom(project, room, log)
      compileSurvivors(project, room, log)
    }
    process.stdout.write(formatSurvivors(room))
    done.push(room)
  }
  const table = formatTable(done)
  process.stdout.write(`\n${table}\n`)
  if (write) await writeRun(`${root}docs/contributors/quality.md`, 'mutation', table)
})
