import { readFileSync } from 'node:fs'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import { settle } from '../../src/control/scenario/settle/settle.ts'
import { readHar } from '../../src/judges/recording/read-har.ts'
import { recordScenario } from '../../src/judges/recording/record-scenario.ts'
import { createLeftOut } from '../../src/judges/recording/seen-call.ts'
import { readRecording } from '../../src/judges/replay/read-recording.ts'
import { createSecrets } from '../../src/service/keys/mask.ts'
import { archive, archiveEntry } from '../../test/support/archives.ts'
import { noon } from '../../test/support/scenarios.ts'
import { areasOf, toys } from '../../test/support/toys.ts'
import { emulate } from '../core/emulate.ts'
import { expectComplaints } from '../files/expect-complaints.ts'
import { mutated } from '../files/mutate.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { type Lane, sessionOf } from '../lane.ts'
import { ownHeap } from '../own-heap.ts'

/** OpenAPI files: rejected with places, or served. */
export const contractLane: Lane = {
  name: 'contract',
  about: 'OpenAPI files of --openapi, openapi.yaml among them',
  share: 5_000,
  perCase: 1,
  // ajv keeps the validators of every description: docs/decisions/0034-prism.md.
  keeps: 45_000,
  open: async () => {
    const ours = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')
    const run = async (text: string) => {
      const loading = await areasOf({ 'c.yaml': text })
      if (!loading.ok) {
        expectComplaints(text, loading.complaints)
        return 1
      }
      const { emulator } = emulate(settle('f', {}, shippedFixtures), noon)
      emulator.openAreas(loading.value.areas)
      for (const { described } of loading.value.areas.served) {
        const call = callTo(described.method, described.fullPath)
        const { status, headers, body = '', fault } = await emulator.answer(call)
        const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
        // An operation of the user's own may answer with any status and body.
        const isOwn = status >= 400 && !body.startsWith('{"code":')
        const reply = { status, headers: Object.fromEntries(lowered), text: body }
        if (fault === undefined && !isOwn)
          judgeReply(reply, { isHead: call.method === 'HEAD', hasRules: true })
      }
      return 1
    }
    return sessionOf({ cases: mutated([toys, toys, ours]), run, heap: ownHeap })
  },
}

function callTo(method: string, path: string) {
  const hasBody = !['GET', 'DELETE', 'HEAD'].includes(method)
  return {
    method,
    target: path.replace(/\{[^{}]*\}/g, '7'),
    headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-pro', 'Content-Type', 'application/json'],
    body: hasBody ? new TextEncoder().encode('{"name":"Rope"}') : undefined,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: noon,
  } as const
}

/** Archives: no archive, or made into a scenario. */
export const harLane: Lane = {
  name: 'har',
  about: 'HTTP archives, for `scenarios from` and `replay`',
  share: 20_000,
  perCase: 1,
  open: async () => {
    const secrets = createSecrets()
    const run = async (text: string) => {
      readRecording(new TextEncoder().encode(text), undefined, createLeftOut())
      const leftOut = createLeftOut()
      const har = readHar(text, undefined, leftOut)
      if (har === undefined || har.calls.length === 0) return 1
      const options = { name: 'x', description: 'x', fixtures: shippedFixtures, secrets, leftOut }
      const { file } = await recordScenario(har.calls, options)
      settle('x', file, shippedFixtures)
      return 1
    }
    return sessionOf({ cases: mutated(recordings()), run, heap: ownHeap })
  },
}

export function recordings(): readonly string[] {
  const pet = { content: { mimeType: 'application/json', text: '{"id":7,"name":"Rex","categoryId":1}' } }
  const entries = [
    archiveEntry({ key: 'demo-free', url: '/v1/pets?limit=2', next: '/v1/pets?limit=2&cursor=x' }),
    archiveEntry({
      at: 40,
      key: 'demo-free',
      url: '/v1/pets/7',
      fields: { response: { status: 200, headers: [], ...pet } },
    }),
    archiveEntry({ at: 90, key: 'demo-pro', method: 'POST', url: '/v1/pets', status: 201 }),
    archiveEntry({ at: 200, url: '/v1/pets', status: 401 }),
    archiveEntry({ at: 300, key: 'demo-free', url: '/v1/pets', status: 429 }),
  ]
  return [archive(entries), archive(entries.slice(0, 1)), archive([])]
}
