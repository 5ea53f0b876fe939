import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import type { SentCall } from '../load/load.ts'
import { bundledProgram } from '../processes.ts'
import { nodeServer, type RunningServer, type Server } from './server.ts'

export const listTarget = '/v1/pets?limit=20'

/** The built command as a user starts it, with these words and a silent log. */
export function petMock(root: string, words: readonly string[] = [], key = 'demo-free'): Server {
  const all = [join(root, 'dist/pet-mock.cjs'), ...words, '--log-format', 'silent', '--port']
  return nodeServer(port => [...all, port], { target: listTarget, key })
}

/** With a key that is never refused. */
export function unlimitedPetMock(root: string, flags: readonly string[] = []): Server {
  return petMock(root, ['--scenario', join(root, 'tools/bench/unlimited.yaml'), ...flags], 'bench')
}

/** The same with more in its scenario, such as keys. `name` is that of its file. */
export async function petMockWith(
  { root, folder }: { readonly root: string; readonly folder: string },
  name: string,
  fields: ScenarioFile,
): Promise<Server> {
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify({ extends: join(root, 'tools/bench/unlimited.yaml'), ...fields }))
  return petMock(root, ['--scenario', file], 'bench')
}

export function numbered<One>(count: number, make: (n: number) => One): readonly One[] {
  return Array.from({ length: count }, (_, index) => make(index + 1))
}

/** With the keys `bench-1` to `bench-COUNT` beside `bench`, of which none is ever refused. */
export function petMockWithKeys(
  place: { readonly root: string; readonly folder: string },
  count: number,
): Promise<Server> {
  const keys = numbered(count, n => [`bench-${n}`, { plan: 'unlimited' }] as const)
  return petMockWith(place, `keys-${count}`, { keys: Object.fromEntries(keys) })
}

export function listPerKey(count: number): readonly SentCall[] {
  return numbered(count, n => ({ method: 'GET', target: listTarget, key: `bench-${n}` }))
}

/** A list in each of this number of sandboxes, the default one included. */
export function listPerSandbox(count: number): readonly SentCall[] {
  return numbered(count, n => ({ method: 'GET', target: listTarget, key: n === 1 ? 'bench' : `bench+s${n}` }))
}

/** `pet-mock proxy` before a server that runs, as a user starts it. */
export function proxied(
  root: string,
  { url, server: { key } }: RunningServer,
  flags: readonly string[],
): Server {
  return petMock(root, ['proxy', `${new URL(url).origin}/v1`, ...flags], key)
}

/** Two doors of pet-mock's in one process: this one with something beside, and its plain twin on another port. */
export function twinDoors(folder: string, what: 'plane' | 'rules'): Server {
  const program = bundledProgram(folder, 'twin-doors')
  const words = (port: string) => [program, what, port, String(otherPort(Number(port)))]
  return nodeServer(words, { target: listTarget, key: 'bench' })
}

/** Ends with the process of its twin. */
export function plainTwin(server: RunningServer): RunningServer {
  const url = new URL(server.url)
  url.port = String(otherPort(Number(url.port)))
  return { ...server, url: url.href, stop: async () => {} }
}

/** Below those that systems give to connections: the next one is soon taken by one. */
function otherPort(port: number): number {
  return 20_000 + (port % 10_000)
}
