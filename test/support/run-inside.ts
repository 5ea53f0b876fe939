import { commands } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import type { Environment, TextStream } from '../../src/cli/terminal/io.ts'

/** Runs a command line in this process: many lines cost no start of Node. */
export async function runInside(args: readonly string[], env: Environment = {}) {
  const [stdout, stderr] = [collector(), collector()]
  const code = await run(args, async () => commands, {
    env,
    pid: process.pid,
    stdout: stdout.stream,
    stderr: stderr.stream,
    onSignal: () => {},
    isSentToAll: () => false,
    isInteractive: () => false,
    exit: () => {},
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collector() {
  let text = ''
  const stream: TextStream = {
    writableLength: 0,
    write: (more, done) => {
      text += more
      done?.()
      return true
    },
    on: () => {},
  }
  return { stream, text: () => text }
}
