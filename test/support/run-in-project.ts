import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env } from 'node:process'

export interface RunInProjectOptions {
  readonly env?: Readonly<Record<string, string>>
  /** When it is ended, if it has not ended by then: its code is null then. */
  readonly timeoutMs?: number
}

export interface Ran {
  readonly code: number | null
  /** All that it printed, on either stream. */
  readonly output: string
}

/**
 * Runs a program in a project of a user's to its end. What the runner that a test is part of has told its workers is not
 * for the one in the project.
 */
export async function runInProject(
  cwd: string,
  [program, ...args]: readonly [string, ...string[]],
  { env: extra = {}, timeoutMs }: RunInProjectOptions = {},
): Promise<Ran> {
  const own = Object.entries(env).filter(([name]) => !/^(?:VITEST|PET_MOCK|NODE_ENV|TEST|CI)/.test(name))
  const child = spawn(program, args, {
    cwd,
    env: { ...Object.fromEntries(own), NO_COLOR: '1', ...extra },
    ...(timeoutMs !== undefined && { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const [code] = await once(child, 'close')
  return { code, output }
}
