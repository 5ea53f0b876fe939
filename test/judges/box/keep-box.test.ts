import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { keepBox } from '../../../src/judges/box/keep-box.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

/** A part that writes each member in two halves, as a busy disk may. */
function slowPart() {
  const bytes: Uint8Array<ArrayBuffer>[] = []
  return {
    add: async (members: readonly Uint8Array<ArrayBuffer>[]) => {
      for (const member of members)
        for (const half of [member.slice(0, 9), member.slice(9)]) {
          bytes.push(half)
          await new Promise(setImmediate)
        }
    },
    read: async () => {
      await new Promise(setImmediate)
      return [Uint8Array.from(bytes.flatMap(half => [...half]))]
    },
    drop: async () => {},
  }
}

test('a copy has no half of what is being written', async () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
  const pack = (lines: string) => Uint8Array.from(gzipSync(lines))
  const box = keepBox(emulator, { door: 'server', version: '1.0.0' }, undefined, {
    begin: slowPart,
    pack,
    mostBytes: 1e6,
  })
  const call = { method: 'GET', target: '/v1/pets', headers: [], body: undefined } as const
  for (let made = 0; made < 20; made += 1) {
    emulator.handle({ ...call, scheme: 'http', client: '127.0.0.1', receivedAt: noon + made })
    const copy = box.copy('*')
    await new Promise(setImmediate)
    emulator.handle({ ...call, scheme: 'http', client: '127.0.0.1', receivedAt: noon + made })
    void box.flush()
    const text = gunzipSync(Buffer.concat(await copy)).toString()
    expect(text).toMatch(/\{"end":true\}\n$/)
  }
})
