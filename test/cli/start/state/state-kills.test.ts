import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readSnapshotFile } from '../../../../src/control/scenario/read/read-snapshot.ts'
import { directoryWith } from '../../../support/directory.ts'
import { serveJson } from '../../../support/run-command.ts'

/**
 * Resolves when a condition holds, which is checked after each change in a directory. So a kill comes at the same point of
 * the work on fast and slow machines.
 */
function untilIn(directory: string, holds: (happened: number) => boolean): Promise<void> {
  return new Promise(resolve => {
    let happened = 0
    const look = () => {
      if (!holds(happened)) return
      watcher.close()
      resolve()
    }
    const watcher = watch(directory, () => {
      happened += 1
      look()
    })
    look()
  })
}

const program = fileURLToPath(new URL('whole-file-program.ts', import.meta.url))

test('a process that is killed while it writes a file again and again leaves a whole one, each time', async () => {
  const directory = directoryWith({})
  const path = join(directory, 'whole.json')
  let newest = 0
  for (let kill = 1; kill <= 12; kill += 1) {
    const child = spawn(process.execPath, ['--import', 'tsx', program, path], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const closed = once(child, 'close')
    await untilIn(directory, () => existsSync(path))
    // Another point each time: one write makes about six changes.
    await untilIn(directory, happened => happened >= kill * 5)
    child.kill('SIGKILL')
    expect(await closed).toEqual([null, 'SIGKILL'])
    const read = JSON.parse(readFileSync(path, 'utf8'))
    expect(read).toHaveLength(41)
    newest = Math.max(newest, read[0])
  }
  // Some kills came after the first write.
  expect(newest).toBeGreaterThan(1)
}, 300_000)

/** What happens while clients write. */
interface Happening {
  readonly directory: string
  /** One for each write. */
  readonly answered: readonly Promise<unknown>[]
  /** Whether the file has more pets than before. */
  readonly isSaved: () => boolean
}

/** When to kill the server, by turns. */
const moments: readonly ((happening: Happening, turn: number) => Promise<unknown>)[] = [
  // While the first write is on its way.
  async () => {},
  ({ answered }, turn) => Promise.all(answered.slice(0, (turn % 10) + 1)),
  // While it saves: the temporary file exists, is written, or was renamed.
  ({ directory, isSaved }, turn) => untilIn(directory, happened => happened > turn % 7 || isSaved()),
  ({ directory, isSaved }) => untilIn(directory, isSaved),
]

function petsIn(file: string): number {
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/"Rex"/g)?.length ?? 0) : 0
}

/** Starts a server on the file, lets clients write, and kills the server meanwhile. */
async function serveAndKill(directory: string, turn: number): Promise<void> {
  const file = join(directory, 's.json')
  const before = petsIn(file)
  const { ready, child, ended } = await serveJson(['--state', file, '--pets', '3000'])
  const write = async () => {
    const init = {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-enterprise', 'Content-Type': 'application/json' },
      body: '{"name":"Rex","categoryId":9223372036854775807}',
      // Another process may get the port of a killed server, and never answer.
      signal: AbortSignal.timeout(10_000),
    }
    // The server disappears during the request.
    const response = await fetch(`${ready.url}/pets`, init).catch(() => undefined)
    await response?.text().catch(() => '')
  }
  const answered = Array.from({ length: 10 }, write)
  const moment = moments[turn % moments.length]
  const died = ended.then(({ code, signal, stderr }) => {
    throw new Error(`The server ended by itself (${code ?? signal}): ${stderr}`)
  })
  await Promise.race([moment?.({ directory, answered, isSaved: () => petsIn(file) > before }, turn), died])
  died.catch(() => {})
  child.kill('SIGKILL')
  await Promise.all([...answered, ended])
}

test('a server that is killed a hundred times during a thousand writes starts from its state file each time', async () => {
  const kills = async () => {
    const directory = directoryWith({})
    const file = join(directory, 's.json')
    let saved = 0
    for (let turn = 0; turn < 25; turn += 1) {
      // It is ready once it has read the file, so each round checks the one before.
      await serveAndKill(directory, turn)
      if (!existsSync(file)) continue
      expect(await readSnapshotFile(file, readFileSync(file, 'utf8'))).toMatchObject({ ok: true })
      const pets = petsIn(file)
      expect(pets).toBeGreaterThanOrEqual(saved)
      saved = pets
    }
    return saved
  }
  const saved = await Promise.all(Array.from({ length: 4 }, kills))
  for (const pets of saved) expect(pets).toBeGreaterThan(0)
}, 600_000)
