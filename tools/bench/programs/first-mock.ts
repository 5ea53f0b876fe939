/*
 * `node first-mock.js ROOT WHOSE`: prints the milliseconds of the first mock of a process, after the import: of
 * `createPetMock()`, or with WHOSE `msw` of a server of MSW with one handler.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , root = '.', whose = 'pet-mock'] = process.argv
const { resolve } = createRequire(join(root, 'package.json'))
const importFile = async <Module>(path: string): Promise<Module> => await import(pathToFileURL(path).href)

const create = whose === 'msw' ? await mockOfMsw() : await petMock()
const from = performance.now()
create()
process.stdout.write(String(performance.now() - from))

async function petMock() {
  const path = join(root, 'dist/library.js')
  const { createPetMock } = await importFile<typeof import('../../../src/library/testing/entry.ts')>(path)
  return createPetMock
}

async function mockOfMsw() {
  const { http, HttpResponse } = await importFile<typeof import('msw')>(resolve('msw'))
  const { setupServer } = await importFile<typeof import('msw/node')>(resolve('msw/node'))
  return () => {
    const server = setupServer(http.get('https://api.example.com/v1/pets', () => HttpResponse.json([])))
    server.listen()
    return server
  }
}
