/*
 * `node doors.js ROOT SECONDS ROUNDS`: prints the microseconds of a call through each door of the built library, a sample
 * a round.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median } from '../statistics.ts'
import { unlimited } from './pets-world.ts'

const [, , root = '.', seconds = '1', rounds = '5'] = process.argv
const { resolve } = createRequire(join(root, 'package.json'))
const { createPetMock, startPetMock }: typeof import('../../../src/library/testing/entry.ts') =
  await importFile(join(root, 'dist/library.js'))
const { petMockHandlers }: typeof import('../../../src/library/msw/entry.ts') = await importFile(
  join(root, 'dist/msw.js'),
)
const { setupServer }: typeof import('msw/node') = await importFile(resolve('msw/node'))

async function importFile<Module>(path: string): Promise<Module> {
  return await import(pathToFileURL(path).href)
}

const scenario = unlimited(100)
const target = '/pets?limit=20'
const headers = { Authorization: 'Bearer bench' }
const mock = createPetMock({ scenario })
const server = await startPetMock({ scenario })
const msw = setupServer(...petMockHandlers({ baseUrl: 'https://api.example.com/v1', scenario }))
const throughMsw = '`fetch`, through MSW'

/** The whole of a call, with its body read, and the status. */
type Make = () => number | Promise<number>

const read = async (answer: Promise<Response>) => {
  const response = await answer
  await response.text()
  return response.status
}
const call = { method: 'GET', target: `/v1${target}`, headers }
const recorded = await mock.fetch(`${mock.url}${target}`, { headers })
const [replyHeaders, replyBody] = [Object.fromEntries(recorded.headers), await recorded.text()]
const doors: Readonly<Record<string, Make>> = {
  '`handle`, in process': () => mock.handle(call).status,
  'a `Response` alone': () => read(Promise.resolve(new Response(replyBody, { headers: replyHeaders }))),
  '`fetch`, in process': () => read(mock.fetch(`${mock.url}${target}`, { headers })),
  [throughMsw]: () => read(fetch(`https://api.example.com/v1${target}`, { headers })),
  '`fetch`, over HTTP': () => read(fetch(`${server.url}${target}`, { headers })),
}

async function timesOf(name: string, make: Make): Promise<number> {
  const times: number[] = []
  const end = performance.now() + (Number(seconds) * 1_000) / Object.keys(doors).length
  while (performance.now() < end || times.length === 0) {
    const from = performance.now()
    const made = make()
    const status = typeof made === 'number' ? made : await made
    times.push((performance.now() - from) * 1_000)
    if (status !== 200) throw new Error(`${name}: ${status}`)
  }
  return median(times)
}

const times: Record<string, number[]> = {}
// The first round only warms up.
for (let round = 0; round <= Number(rounds); round += 1) {
  for (const [name, make] of Object.entries(doors)) {
    // While MSW listens, every Request of the process takes longer.
    if (name === throughMsw) msw.listen({ onUnhandledRequest: 'bypass' })
    const sample = await timesOf(name, make)
    msw.close()
    if (round > 0) times[name] = [...(times[name] ?? []), sample]
  }
}
await server.close()
process.stdout.write(JSON.stringify(times))
