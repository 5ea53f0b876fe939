/*
 * Mutation testing: `npm run mutation`. How, and how to read it: mutation/README.md.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePage } from '../bench/report/page.ts'
import { compileSurvivors } from './compile.ts'
import { help, type Options, readOptions, rooms } from './options.ts'
import { formatSurvivors, formatTable } from './report.ts'
import { type Room, readRoom } from './room.ts'
import { tryRoom } from './try-room.ts'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
const options = readOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(`${help}\n`)
else if ('problem' in options) {
  process.stderr.write(`${options.problem}\n`)
  process.exitCode = 2
} else await run(options)

async function run(asked: Options): Promise<void> {
  const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
  const done: Room[] = []
  for (const name of asked.rooms) {
    const size = asked.sample ?? rooms[name]
    const { files, seed, budget, fresh } = asked
    const room = await readRoom(root, { room: name, files, size, seed, budget, isFresh: fresh })
    if (!asked.report) {
      await tryRoom(root, room, log)
      compileSurvivors(root, room, log)
    }
    process.stdout.write(formatSurvivors(room))
    done.push(room)
  }
  const table = formatTable(done)
  process.stdout.write(`\n${table}\n`)
  if (asked.write) await writePage(join(root, 'docs/quality.md'), table, 'npm run mutation -- --write')
}
