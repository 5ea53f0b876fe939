import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { directoryWith } from './directory.ts'
import { freePort } from './free-port.ts'
import { commandWords } from './run-command.ts'
import { expectLines, readTutorial } from './tutorial.ts'

const modules = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url))
const pet = commandWords.map(word => `'${word}'`).join(' ')

interface Reader {
  /** What the reader's directory has. */
  readonly files?: Readonly<Record<string, string>>
  /** Flags of the pet-mock that runs before the first command, and is `https://staging.example/v1`. */
  readonly service?: string
  /** What the client of a proxy does until Ctrl+C. */
  readonly traffic?: (url: string) => Promise<void>
}

/** Saves each file of a page and runs each command, in their order, and expects what the page shows of the output. */
export async function followPage(page: string, { files = {}, service, traffic }: Reader = {}) {
  const cwd = directoryWith(files)
  const [port, proxyPort] = [`${await freePort()}`, `${await freePort()}`]
  const here = (text: string) =>
    text
      .replaceAll('https://staging.example/v1', `http://127.0.0.1:${port}/v1`)
      .replaceAll('7387', port)
      .replaceAll('7388', proxyPort)
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|PET_MOCK|NODE_)/.test(name))
  const env = { ...Object.fromEntries(own), TMPDIR: cwd, NO_COLOR: '1', KEY: 'demo-free' }
  const start = (command: string) => {
    const words = command.replace(/^npx pet-mock/, `exec ${pet}`).replace(/^npx /, modules)
    const child = spawn('sh', ['-c', here(words).replace(/^curl/, 'curl -sS')], { cwd, env })
    const closed = once(child, 'close')
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    return { child, closed, output: () => output }
  }

  const servers = new Map<string, () => Promise<void>>()
  /** A server runs until another one of its kind starts, or the page shows Ctrl+C. */
  const serve = async (command: string, kind: string, shown: readonly string[]) => {
    await servers.get(kind)?.()
    const { child, closed, output } = start(`${command} --port ${kind === 'proxy' ? proxyPort : port}`)
    const stop = async () => {
      child.kill('SIGINT')
      await closed
    }
    servers.set(kind, stop)
    onTestFinished(stop)
    const end = shown.indexOf('^C')
    await expect.poll(output, { timeout: 30_000 }).toContain('Ctrl+C')
    await expect
      .poll(() => expectLines(output(), end < 0 ? shown : shown.slice(0, end)), { timeout: 10_000 })
      .toBeUndefined()
    if (end < 0) return
    await traffic?.(`http://127.0.0.1:${proxyPort}/v1`)
    await stop()
    expectLines(output(), shown.slice(end + 1))
  }

  if (service !== undefined) await serve(`npx pet-mock ${service}`, 'server', [])
  const saved = new Set<string>()
  let commands = 0
  for (const step of readTutorial(page)) {
    if (step.do === 'save' && step.file !== '' && !saved.has(step.file)) {
      writeFileSync(join(cwd, step.file), step.text)
      saved.add(step.file)
    }
    if (step.do !== 'run') continue
    commands += 1
    const shown = step.shown.map(here)
    const [serves, proxy] = /^npx pet-mock (?:(proxy) |-)/.exec(step.command) ?? []
    if (serves !== undefined) {
      await serve(step.command, proxy ?? 'server', shown)
      continue
    }
    const { closed, output } = start(step.command)
    const [code] = await closed
    const fails = shown.some(line => /^(?:✕ error|pet-mock: the run is in)/.test(line))
    expect([step.command, code, output()]).toEqual([step.command, fails ? 1 : 0, expect.any(String)])
    expectLines(output(), shown)
  }
  return { cwd, commands }
}
