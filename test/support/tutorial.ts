import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from './free-port.ts'
import { createRunnerProject } from './runner-project.ts'

/** What a page asks its reader to do, in its order. */
export type Step =
  | { readonly do: 'save'; readonly file: string; readonly text: string }
  | { readonly do: 'append'; readonly file: string; readonly text: string }
  | { readonly do: 'replace'; readonly old: string; readonly with: string }
  | { readonly do: 'run'; readonly command: string; readonly shown: readonly string[] }
  | { readonly do: 'click'; readonly times: number }
  | { readonly do: 'see'; readonly text: string }

const numbers: Readonly<Record<string, number>> = { three: 3, four: 4 }

/** Reads the blocks of a tutorial, the clicks that it asks for, and what its page then shows. */
export function readTutorial(page: string): readonly Step[] {
  const marks =
    /^```(?<language>\w+)\n(?<block>[\s\S]*?)^```$|\bclick \*\*Load\*\*(?: (?<count>three|four) times)?|\bThe page shows `(?<seen>[^`]+)`|^.*\bChange `(?<old>[^`]+)` to\s`(?<new>[^`]+)`/gim
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(marks)].flatMap(({ groups = {}, index }): readonly Step[] => {
    const { language, block, count, seen, old, new: by } = groups
    if (old !== undefined && by !== undefined) return [{ do: 'replace', old, with: by }]
    if (seen !== undefined) return [{ do: 'see', text: seen }]
    if (block === undefined) return [{ do: 'click', times: numbers[count?.toLowerCase() ?? ''] ?? 1 }]
    return language === 'console' ? readCommands(block) : [readFile(block, text.slice(0, index))]
  })
}

/** The name is in the first line of a program, or in the text before the block. */
function readFile(block: string, before: string): Step {
  const [, inBlock, place] = /^\/\/ ([^\s,]+)(, at the end)?\n/.exec(block) ?? []
  if (inBlock !== undefined && place !== undefined) return { do: 'append', file: inBlock, text: block }
  const inText = before.match(/`[\w./-]+\.(?:html|yaml)`/g)?.at(-1)
  return { do: 'save', file: inBlock ?? inText?.slice(1, -1) ?? '', text: block }
}

function readCommands(block: string): readonly Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...lines] = part.trimEnd().split('\n')
      return { do: 'run', command, shown: lines.filter(line => !/^…?$/.test(line.trim())) } as const
    })
}

/** The empty directory of a reader, in which the packed pet-mock is installed. Nothing else has its port. */
export async function createReader() {
  const { path, remove } = createRunnerProject([])
  const port = `${await freePort()}`
  const here = (text: string) => text.replaceAll('7387', port)
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|PET_MOCK|NODE_)/.test(name))
  const env = { ...Object.fromEntries(own), PET_MOCK_PORT: port, NO_COLOR: '1' }
  // The reader's package.json is that of npm init.
  writeFileSync(join(path, 'package.json'), '{ "type": "commonjs" }')
  let stopServer = async () => {}
  let readServer = () => ''

  const start = (command: string) => {
    const child = spawn('sh', ['-c', command.replace(/^npx /, 'exec node_modules/.bin/')], {
      cwd: path,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(child, 'close')
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Ctrl+C')) child.emit('ready')
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    return { child, closed, output: () => output }
  }

  return {
    path,
    save: (file: string, text: string) => writeFileSync(join(path, file), here(text)),
    append: (file: string, text: string) => appendFileSync(join(path, file), text),
    replace: (file: string, old: string, by: string) => {
      const text = readFileSync(join(path, file), 'utf8')
      expect(text).toContain(old)
      writeFileSync(join(path, file), text.replace(old, by))
    },
    /** Runs a command, and resolves with all that it prints. A server runs until the next one is started. */
    run: async (command: string): Promise<string> => {
      const serves = /^npx pet-mock(?: -|$)/.test(command)
      if (serves) await stopServer()
      const { child, closed, output } = start(command)
      if (!serves) await closed
      else {
        readServer = output
        stopServer = async () => {
          child.kill('SIGTERM')
          await closed
        }
        await Promise.race([once(child, 'ready'), closed])
      }
      return output()
    },
    /** What the server has printed so far. */
    served: () => readServer(),
    end: async () => {
      await stopServer()
      remove()
    },
  }
}

/** Expects the lines of a page among those that a command printed, in this order. */
export function expectLines(output: string, shown: readonly string[]): void {
  let rest = output.split('\n').map(line => line.trim())
  for (const line of shown.map(text => text.trim())) {
    expect(rest).toContain(line)
    rest = rest.slice(rest.indexOf(line) + 1)
  }
}
