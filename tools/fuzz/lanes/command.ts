import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { commandWords, plainEnvironment } from '../../program/pet-mock.ts'
import { mutated } from '../files/mutate.ts'
import { ownHeap } from '../heap.ts'
import { Broken, type Lane, sessionOf } from '../lane.ts'
import { recordings } from './documents.ts'

const scenarios = new URL('../../../scenarios/', import.meta.url)
const texts = readdirSync(scenarios).map(name => readFileSync(new URL(name, scenarios), 'utf8'))

/** Commands that read one file and end by themselves, with what they are fed. */
const commands = [
  { words: ['scenarios', 'validate'], name: 'f.yaml', files: mutated(texts) },
  { words: ['scenarios', 'from'], name: 'f.har', files: mutated(recordings()) },
  { words: ['compare-plans'], name: 'f.har', files: mutated(recordings()) },
] as const

const cases = fc.oneof(
  ...commands.map(command => command.files.map(text => ({ words: command.words, name: command.name, text }))),
)

/** Milliseconds that a command may take. */
const mostMs = 25_000

/** The command as users run it: a documented exit code, complaints with places, and never a stack. */
export const commandLane: Lane = {
  name: 'command',
  about: 'scenario files and archives, read by the real command',
  share: 1_000,
  perCase: 1,
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pet-mock-fuzz-'))
    const run = async ({
      words,
      name,
      text,
    }: {
      readonly words: readonly string[]
      readonly name: string
      readonly text: string
    }) => {
      writeFileSync(join(folder, name), text)
      const { code, output } = await end([...words, name], folder)
      const seen = `${words.join(' ')} ended with ${code}: ${output.slice(0, 2_000)}`
      if (code !== 0 && code !== 1 && code !== 2) throw new Broken(seen)
      if (/\n\s+at |node:internal|pet-mock failed/.test(output)) throw new Broken(`A stack: ${seen}`)
      const isPlaced = output
        .split('\n')
        .some(line => line.startsWith(`${name}:`) && /^:\d+:\d+: /.test(line.slice(name.length)))
      if (
        code === 2 &&
        name === 'f.yaml' &&
        !isPlaced &&
        !/cannot be read|not UTF-8|larger than/.test(output)
      )
        throw new Broken(`No line and column: ${seen}`)
      return 1
    }
    return sessionOf({
      cases,
      run,
      heap: ownHeap,
      close: async () => rmSync(folder, { recursive: true, force: true }),
    })
  },
}

async function end(
  words: readonly string[],
  cwd: string,
): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(process.execPath, [...commandWords, ...words], {
    cwd,
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs)
  const [code, signal] = await once(child, 'close')
  clearTimeout(timer)
  return { code: signal ?? code, output }
}
