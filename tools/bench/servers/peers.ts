import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { isNotRun, type NotRun } from '../measurement.ts'
import { bundledProgram } from '../processes.ts'
import { listTarget } from './pet-mock.ts'
import type { RecordedReply } from './recording.ts'
import { nodeServer, type RunningServer, type Server } from './server.ts'

/** `node:http` and nothing else, answering from a recording. */
export function bare(folder: string, recording: string, firstStatus = 200): Server {
  const program = bundledProgram(folder, 'bare-server')
  return nodeServer(port => [program, port, recording], { target: listTarget, key: 'bench', firstStatus })
}

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

/** Prism's mock of a contract. It leaves out the base path, and answers with the contract's example. */
export function prism(contract: string, peers: string | NotRun): Server | NotRun {
  if (isNotRun(peers)) return peers
  const command = join(peers, '@stoplight/prism-cli/dist/index.js')
  const words = (port: string) => [command, 'mock', '--port', port, '--verboseLevel', 'silent', contract]
  return nodeServer(words, { target: '/pets?limit=20', key: 'bench' })
}

/** The project's contract with pet-mock's answer as its example of a list: Prism then answers the same pets. */
export async function contractWithExample(
  root: string,
  folder: string,
  reply: RecordedReply,
): Promise<string> {
  const contract = parseDocument(await readFile(join(root, 'openapi.yaml'), 'utf8'))
  const content = ['paths', '/pets', 'get', 'responses', '200', 'content', 'application/json']
  contract.setIn([...content, 'examples'], { page: { value: JSON.parse(reply.body) } })
  const file = join(folder, 'openapi.yaml')
  await writeFile(file, contract.toString())
  return file
}

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

/** The nginx of the example `scale-out`, in one process, before these replicas. */
export function nginxBefore(
  { root, folder }: { readonly root: string; readonly folder: string },
  replicas: readonly RunningServer[],
): Server | NotRun {
  const file = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find(path => existsSync(path))
  const [replica] = replicas
  if (file === undefined || replica === undefined) return { notRun: 'nginx is not installed' }
  const run = mkdtempSync(join(folder, 'nginx-'))
  cpSync(join(root, 'examples/scale-out/nginx.conf'), join(run, 'nginx.conf'))
  const lines = replicas.map(({ url }) => `server ${new URL(url).host} max_fails=1 fail_timeout=1s;\n`)
  writeFileSync(join(run, 'replicas.conf'), lines.join(''))
  return {
    ...replica.server,
    program: port => {
      writeFileSync(join(run, 'listen.conf'), `listen 127.0.0.1:${port};\n`)
      const args = ['-p', run, '-c', join(run, 'nginx.conf'), '-g', 'master_process off;']
      return { file, args }
    },
  }
}
