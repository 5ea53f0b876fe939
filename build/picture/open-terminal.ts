import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const columns = 110

/** Runs a command line in a pseudo-terminal (util-linux `script`). */
export function openTerminal(commandLine: string, cwd?: string) {
  // Variables such as CI and NO_COLOR change what a terminal shows.
  const { PATH, HOME } = process.env
  const child = spawn('script', ['-qfec', `stty cols ${columns}; exec ${commandLine}`, '/dev/null'], {
    cwd,
    env: { PATH, HOME, TERM: 'xterm-256color' },
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
  })
  const until = async (text: string): Promise<void> => {
    for (let wait = 0; !output.includes(text) && wait < 100; wait += 1)
      await new Promise(resolve => setTimeout(resolve, 100))
    if (!output.includes(text)) throw new Error(`The terminal shows only:\n${output}`)
  }
  return { child, output: () => output, until, ended }
}
