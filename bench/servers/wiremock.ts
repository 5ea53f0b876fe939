import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NotRun } from '../not-run.ts'
import { listTarget } from './pet-mock.ts'
import type { RecordedReply } from './recording.ts'
import type { Server } from './server.ts'

/** WireMock standalone with one stub, which answers the same bytes. Its jar is not fetched: WIREMOCK_JAR names it. */
export async function wireMock(folder: string, reply: RecordedReply): Promise<Server | NotRun> {
  const jar = process.env.WIREMOCK_JAR
  if (jar === undefined) return { notRun: 'no WireMock: WIREMOCK_JAR does not name its standalone jar' }
  if (!existsSync(jar)) return { notRun: `no WireMock: there is no file ${jar}` }
  const home = join(folder, 'wiremock')
  await mkdir(join(home, 'mappings'), { recursive: true })
  const stub = {
    request: { method: 'GET', urlPath: listTarget.replace(/\?.*/, '') },
    response: { status: reply.status, headers: reply.headers, body: reply.body },
  }
  await writeFile(join(home, 'mappings/pets.json'), JSON.stringify(stub))
  return {
    program: port => ({
      file: 'java',
      args: [
        '-jar',
        jar,
        '--port',
        String(port),
        '--root-dir',
        home,
        '--no-request-journal',
        '--disable-banner',
      ],
    }),
    target: listTarget,
    key: 'bench',
  }
}
