import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import type { Server } from './server.ts'

export const listTarget = '/v1/pets?limit=20'

/** The built command as a user starts it, with a silent log. */
export function petMock(root: string, flags: readonly string[] = [], key = 'demo-free'): Server {
  const command = join(root, 'dist/pet-mock.cjs')
  return {
    program: port => ({
      file: process.execPath,
      args: [command, '--port', String(port), '--log-format', 'silent', ...flags],
    }),
    target: listTarget,
    key,
  }
}

/** With a key that is never refused. */
export function unlimitedPetMock(root: string, flags: readonly string[] = []): Server {
  return petMock(root, ['--scenario', join(root, 'bench/unlimited.yaml'), ...flags], 'bench')
}

/** The same with more in its scenario, such as keys. `name` is that of its file. */
export async function petMockWith(
  { root, folder }: { readonly root: string; readonly folder: string },
  name: string,
  fields: ScenarioFile,
): Promise<Server> {
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify({ extends: join(root, 'bench/unlimited.yaml'), ...fields }))
  return petMock(root, ['--scenario', file], 'bench')
}
