import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotRun, type NotRun } from '../not-run.ts'
import type { Server } from './server.ts'

/** json-server with the same pets. It knows neither keys nor limits. */
export async function jsonServer(
  folder: string,
  peers: string | NotRun,
  pets: readonly unknown[],
): Promise<Server | NotRun> {
  if (isNotRun(peers)) return peers
  const command = join(peers, 'json-server/lib/cli/bin.js')
  const database = join(folder, 'db.json')
  await writeFile(database, JSON.stringify({ pets }))
  return {
    program: port => ({
      file: process.execPath,
      args: [command, '--quiet', '--host', '127.0.0.1', '--port', String(port), database],
      cwd: folder,
    }),
    target: '/pets?_limit=20',
    key: 'bench',
  }
}
