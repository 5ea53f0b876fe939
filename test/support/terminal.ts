import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished, type TestContext } from 'vitest'
import { findProgram, requireOrSkip } from './requirements.ts'

/** A pseudo-terminal with a shell in it, in which a person types and reads. */
export interface Terminal {
  readonly type: (text: string) => void
  /** Resolves when what was shown since the last such wait holds what the pattern looks for. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>
}

/** Python has pseudo-terminals of its own; Node has none. */
const relay = 'import pty, sys; pty.spawn(sys.argv[1:])'

/** Opens a terminal 100 columns wide, with `env` beside what a terminal has. */
export async function openTerminal(
  context: Pick<TestContext, 'skip'>,
  env: Readonly<Record<string, string>>,
  [program = '', ...args]: readonly string[] = ['bash', '--norc', '--noprofile', '-i'],
): Promise<Terminal> {
  const python = requireOrSkip(context, 'python3', findProgram('python3'))
  const shell = requireOrSkip(context, program, findProgram(program))
  const child = spawn(python, ['-c', relay, shell, ...args], {
    env: { ...process.env, NO_COLOR: '1', TERM: 'dumb', HISTFILE: '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    // The shell's jobs get a hang-up with it.
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  const ended = once(child, 'close').then(() => true as const)
  const until = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(text)
      if (found !== null) {
        text = text.slice(found.index + found[0].length)
        return found
      }
      if ((await Promise.race([once(child.stdout, 'data'), ended])) === true)
        throw new Error(`The terminal ended without ${pattern}:\n${text}`)
    }
  }
  const type = (keys: string) => {
    child.stdin.write(keys)
  }
  await until(/[#$] /)
  type("stty cols 100 rows 40; PS1='prompt''> '\r")
  await until(/prompt> /)
  return { type, until }
}
