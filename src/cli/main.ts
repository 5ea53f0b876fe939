#!/usr/bin/env node
import { isatty } from 'node:tty'
import { commands } from './commands.ts'
import { run } from './run.ts'

const code = await run(process.argv.slice(2), commands, {
  env: process.env,
  pid: process.pid,
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal: (signals, callback) => {
    for (const signal of signals) process.on(signal, () => callback(signal))
  },
  // On Windows, signals that can be heard come from the console. Only to ask for process.stdin would make it non-blocking,
  // for a child too.
  isSentToAll: signal => process.platform === 'win32' || (signal === 'SIGINT' && isatty(0)),
  isInteractive: () => isatty(0) && isatty(1),
  exit: process.exit,
})
// Not at once: what was written to a pipe may still be on its way. Not without a limit: nobody may be reading.
process.exitCode = code
setTimeout(() => process.exit(), 200).unref()
