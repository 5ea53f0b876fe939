#!/usr/bin/env node
import { isatty } from 'node:tty'
import { run } from './run.ts'

const loadCommands = async () => (await import('./commands.ts')).commands
void run(process.argv.slice(2), loadCommands, {
  env: process.env,
  pid: process.pid,
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal: (signals, callback) => {
    for (const signal of signals) process.on(signal, () => callback(signal))
  },
  // On Windows, all signals come from the console. Not `process.stdin.isTTY`: reading it makes stdin non-blocking, for a
  // child, too.
  isSentToAll: signal => process.platform === 'win32' || (signal === 'SIGINT' && isatty(0)),
  isInteractive: () => isatty(0) && isatty(1),
  exit: process.exit,
}).then(code => {
  // Output to a pipe may still be on its way, but a reader may never come.
  process.exitCode = code
  setTimeout(() => process.exit(), 200).unref()
})
