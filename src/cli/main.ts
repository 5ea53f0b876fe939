#!/usr/bin/env node
import { isatty } from 'node:tty'
import { explainImport, NotLoadable } from '../doors/server/own-files.ts'
import { run } from './run.ts'
import { exitCodes, ignoresHangup } from './terminal/io.ts'

const isDetached = ignoresHangup(process.env)
if (isDetached) process.on('SIGHUP', () => {})

// Node asks only terminals for their colours.
const forced = process.env.FORCE_COLOR ?? '0'
const colors = /^(?:0|false)$/.test(forced) ? {} : { hasColors: () => true }

// Only the result of a command clears it: an event loop that runs empty is no success.
process.exitCode = exitCodes.findings
const explain = () =>
  process.stderr.write('pet-mock ended without a result. This is a defect of pet-mock: please report it.\n')
process.once('beforeExit', explain)

const loadCommands = async () => (await import('./commands.ts')).commands
void run(process.argv.slice(2), loadCommands, {
  env: process.env,
  pid: process.pid,
  stdout: Object.assign(process.stdout, colors),
  stderr: Object.assign(process.stderr, colors),
  onSignal: (signals, callback) => {
    for (const signal of signals)
      if (signal !== 'SIGHUP' || !isDetached) process.on(signal, () => callback(signal))
  },
  // On Windows, all signals come from the console. Not `process.stdin.isTTY`: reading it makes stdin non-blocking, for a
  // child, too.
  isSentToAll: signal => process.platform === 'win32' || (signal === 'SIGINT' && isatty(0)),
  isInteractive: () => isatty(0) && isatty(1),
  exit: process.exit,
})
  .catch(failure => {
    const error = explainImport(failure)
    if (!(error instanceof NotLoadable)) throw error
    process.stderr.write(`${error.message}\n`)
    return exitCodes.unreachable
  })
  .then(code => {
    // Output to a pipe may still be on its way, but a reader may never come.
    process.off('beforeExit', explain)
    process.exitCode = code
    setTimeout(() => process.exit(), 200).unref()
  })
