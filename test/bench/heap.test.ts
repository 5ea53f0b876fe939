import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundlePrograms, Processes } from '../../tools/bench/processes.ts'
import { startServer, withHeapReporter } from '../../tools/bench/servers/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const processes = new Processes()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pet-mock-heap-'))
  await bundlePrograms(root, folder)
})
afterAll(() => {
  processes.endAll()
  rmSync(folder, { recursive: true })
})

/** A call to /garbage allocates 8 MB and drops it, one to /kept keeps 8 MB. */
const program = `
  const kept = []
  require('node:http').createServer((request, response) => {
    const megabytes = Array.from({ length: 8 }, () => new Array(2 ** 17).fill(0))
    if (request.url === '/kept') kept.push(megabytes)
    response.end()
  }).listen(Number(process.argv[2]), '127.0.0.1')`

it('counts what a server allocates, collected or not, and what it holds', async () => {
  const file = join(folder, 'server.cjs')
  await writeFile(file, program)
  const server = await startServer(
    processes,
    withHeapReporter(folder, {
      program: port => ({ file: process.execPath, args: [file, String(port)] }),
      target: '/',
      key: 'any',
    }),
  )
  const call = async (path: string, times: number) => {
    const [allocated = 0, held = 0] = [await server.heap('allocated'), await server.heap('held')]
    for (let made = 0; made < times; made += 1) await (await fetch(new URL(path, server.url))).text()
    const [after = 0, heldAfter = 0] = [await server.heap('allocated'), await server.heap('held')]
    return [after - allocated, heldAfter - held].map(bytes => bytes / times / 2 ** 20)
  }
  const [garbage = 0, left = 0] = await call('/garbage', 50)
  expect(garbage).toBeGreaterThan(7.9)
  expect(garbage).toBeLessThan(8.6)
  expect(left).toBeLessThan(0.1)
  const [, kept = 0] = await call('/kept', 5)
  expect(kept).toBeGreaterThan(7.9)
  expect(kept).toBeLessThan(8.6)
  await server.stop()
})

it('rejects a question to a server that has ended', async () => {
  const started = processes.start({ file: process.execPath, args: ['-e', ''], answers: true })
  await started.ended
  await expect(started.ask('held')).rejects.toThrow('ended with exit code 0')
})
