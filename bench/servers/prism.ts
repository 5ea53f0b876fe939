import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { isNotRun, type NotRun } from '../not-run.ts'
import type { RecordedReply } from './recording.ts'
import type { Server } from './server.ts'

/** Prism's mock of a contract. It leaves out the base path, and answers with the contract's example. */
export function prism(contract: string, peers: string | NotRun): Server | NotRun {
  if (isNotRun(peers)) return peers
  const command = join(peers, '@stoplight/prism-cli/dist/index.js')
  return {
    program: port => ({
      file: process.execPath,
      args: [command, 'mock', '--port', String(port), '--verboseLevel', 'silent', contract],
    }),
    target: '/pets?limit=20',
    key: 'bench',
  }
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
