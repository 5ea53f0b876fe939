import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readSnapshotFile } from '../../src/scenario/read-snapshot.ts'
import { directoryWith } from '../support/directory.ts'
import { serveJson } from '../support/run-command.ts'

/** At some moment of the work that is under way: what the process is at then, nobody knows. */
const anyMoment = (withinMs: number) =>
  new Promise(resolve => setTimeout(resolve, Math.floor(Math.random() * withinMs)))

const program = fileURLToPath(new URL('whole-file-program.ts', import.meta.url))

test('a process that is killed while it writes a file again and again leaves a whole one, each time', async () => {
  const path = join(directoryWith({}), 'whole.json')
  const newest: number[] = []
  for (let kill = 0; kill < 12; kill += 1) {
    const child = spawn(process.execPath, ['--import', 'tsx', program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    await once(child.stdout, 'data')
    await anyMoment(40)
    child.kill('SIGKILL')
    await once(child, 'close')
    const read = JSON.parse(readFileSync(path, 'utf8'))
    expect(read).toHaveLength(41)
    newest.push(read[0])
  }
  // It was killed at various stages, not before or after all of them.
  expect(new Set(newest).size).toBeGreaterThan(1)
  expect(Math.max(...newest)).toBeLessThan(1_000)
}, 300_000)

/** Serves from the file, lets clients write, and kills it meanwhile. */
async function serveAndKill(file: string): Promise<void> {
  const { ready, child, ended } = await serveJson(['--state', file, '--pets', '3000'])
  const write = async () => {
    const init = {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-enterprise', 'Content-Type': 'application/json' },
      body: '{"name":"Rex","categoryId":9223372036854775807}',
    }
    // The server is gone in the midst of it.
    const response = await fetch(`${ready.url}/pets`, init).catch(() => undefined)
    await response?.text().catch(() => '')
  }
  const writes = Promise.all(Array.from({ length: 10 }, write))
  await anyMoment(200)
  child.kill('SIGKILL')
  await Promise.all([writes, ended])
}

test('a server that is killed a hundred times during a thousand writes starts from its state file each time', async () => {
  const directory = directoryWith({})
  const kills = async (lane: number) => {
    const file = join(directory, `${lane}.json`)
    let saved = 0
    for (let kill = 0; kill < 25; kill += 1) {
      // It is ready only when it has read the file, so each round is the proof of the one before.
      await serveAndKill(file)
      if (!existsSync(file)) continue
      const text = readFileSync(file, 'utf8')
      expect(await readSnapshotFile(file, text)).toMatchObject({ ok: true })
      const pets = text.match(/"Rex"/g)?.length ?? 0
      expect(pets).toBeGreaterThanOrEqual(saved)
      saved = pets
    }
    return saved
  }
  const saved = await Promise.all([0, 1, 2, 3].map(kills))
  for (const pets of saved) expect(pets).toBeGreaterThan(0)
}, 600_000)
