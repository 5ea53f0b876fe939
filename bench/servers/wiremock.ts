import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotRun, type NotRun } from '../not-run.ts'
import { listTarget } from './pet-mock.ts'
import type { RecordedReply } from './recording.ts'
import type { Server } from './server.ts'

/** WireMock standalone with one stub, which answers the same bytes. Its jar comes from the npm package `wiremock`. */
export async function wireMock(
  folder: string,
  peers: string | NotRun,
  reply: RecordedReply,
): Promise<Server | NotRun> {
  if (isNotRun(peers)) return peers
  const build = join(peers, 'wiremock/build')
  const jar = (await readdir(build)).find(name => name.endsWith('.jar'))
  if (jar === undefined) return { notRun: 'the package wiremock has no jar' }
  const home = join(folder, 'wiremock')
  await mkdir(join(home, 'mappings'), { recursive: true })
  const stub = {
    request: { method: 'GET', urlPath: listTarget.replace(/\?.*/, '') },
    response: { status: reply.status, headers: reply.headers, body: reply.body },
  }
  await writeFile(join(home, 'mappings/pets.json'), JSON.stringify(stub))
  const flags = ['--no-request-journal', '--disable-banner', '--bind-address', '127.0.0.1']
  return {
    program: port => ({
      file: 'java',
      args: ['-jar', join(build, jar), '--port', String(port), '--root-dir', home, ...flags],
    }),
    target: listTarget,
    key: 'bench',
  }
}
