#!/usr/bin/env node
import { commands } from './commands.ts'
import { run } from './run.ts'

const code = await run(process.argv.slice(2), commands, {
  env: process.env,
  pid: process.pid,
  stdout: process.stdout,
  stderr: process.stderr,
  onStop: callback => {
    process.on('SIGINT', callback)
    process.on('SIGTERM', callback)
  },
  exit: process.exit,
})
// Not at once: what was written to a pipe may still be on its way. Not without a limit: nobody may be reading.
process.exitCode = code
setTimeout(() => process.exit(), 200).unref()
