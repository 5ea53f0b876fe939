import { readFileSync } from 'node:fs'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { createLeftOut } from '../../../src/judges/exchanges/left-out.ts'
import { readRecording } from '../../../src/judges/exchanges/read-recording.ts'
import { recordScenario } from '../../../src/judges/recording/record-scenario.ts'
import { readWantedCalls } from '../../../src/judges/replay/wanted-calls.ts'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { archive, archiveEntry } from '../../../test/support/archives.ts'
import { noon } from '../../../test/support/scenarios.ts'
import { areasOf, toys } from '../../../test/support/toys.ts'
import { emulate } from '../core/emulate.ts'
import { expectComplaints } from '../files/expect-complaints.ts'
import { mutated } from '../files/mutate.ts'
import { ownHeap } from '../heap.ts'
import { judgeReply } from '../judge/judge-reply.ts'
import { type Lane, sessionOf } from '../lane.ts'

export const contractLane: Lane = {
  name: 'contract',
  about: 'OpenAPI files of --openapi, openapi.yaml among them',
  share: 5_000,
  perCase: 1,
  // ajv keeps the validators of every description: docs/decisions/0034-prism.md.
  keeps: 45_000,
  open: async () => {
    const ours = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')
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
        // An operation of the user's own may answer with any status and body.
        const isOwn = status >= 400 && !body.startsWith('{"code":')
        if (fault === undefined && !isOwn)
          judgeReply({ status, headers, text: body }, { isHead: call.method === 'HEAD', hasRules: true })
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

export const harLane: Lane = {
  name: 'har',
  about: 'HTTP archives, for `scenarios from` and `replay`',
  share: 20_000,
  perCase: 1,
  open: async () => {
    const secrets = createSecrets()
    const run = async (text: string) => {
      const bytes = new TextEncoder().encode(text)
      readWantedCalls(bytes, undefined, createLeftOut())
      const leftOut = createLeftOut()
      const har = readRecording(bytes, { leftOut, keep: exchange => exchange })
      if (har === undefined || har.calls.length === 0) return 1
      const { hidesKeys } = har
      const options = { name: 'x', description: 'x', hidesKeys, fixtures: shippedFixtures, secrets, leftOut }
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
