import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* Runs pet-mock exec beside the steps of a job, and keeps its exit code for stop.js. */

const [directory = '', command = '', ...flags] = process.argv.slice(2)
const wait = fileURLToPath(new URL('wait.js', import.meta.url))
const report = join(directory, 'report.md')
const args = ['exec', '--log-format', 'pretty', '--report', report, ...flags, '--']
const child = spawn(process.execPath, [command, ...args, process.execPath, wait, directory], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
child.on('close', code => writeFileSync(join(directory, 'exit-code'), `${code ?? 1}`))
