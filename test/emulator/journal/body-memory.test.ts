import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Creates ten pets with bodies of 100 kB. Nothing but the journal can hold a body after its call. */
function createPets({ handle }: Emulator, headers: readonly string[]): readonly WeakRef<Uint8Array>[] {
  return Array.from({ length: 10 }, (_, index) => {
    const body = new TextEncoder().encode(
      `{"name":"Rex ${index}","categoryId":1,"note":"${'x'.repeat(100_000)}"}`,
    )
    handle({
      method: 'POST',
      target: '/v1/pets',
      headers: [
        'Host',
        'localhost',
        'Authorization',
        'Bearer demo-pro',
        'Content-Type',
        'application/json',
        ...headers,
      ],
      body,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    })
    return new WeakRef(body)
  })
}

const rule = (then: object): ScenarioFile => ({
  rules: [{ name: 'acts', match: { body: { categoryId: 1 } }, then }],
})

test.each<[what: string, file: ScenarioFile, headers: readonly string[]]>([
  ['no rule acts', {}, []],
  ['a rule answers', rule({ status: 503 }), []],
  ['a rule answers after the call', rule({ status: 503, direction: 'response' }), []],
  ['a rule delays', rule({ delay: '1ms' }), []],
  ['a rule breaks the response', rule({ fault: 'reset' }), []],
  ['a rule loses the request', rule({ fault: 'reset', direction: 'request' }), []],
  ['Prefer asks for a status', {}, ['Prefer', 'code=503']],
  ['Prefer asks for a delay', {}, ['Prefer', 'delay=1']],
  ['Prefer asks in vain', {}, ['Prefer', 'code=201, speed=9']],
  ['a rule acts and Prefer asks', rule({ delay: '1ms' }), ['Prefer', 'code=201']],
])('the journal keeps the beginning of a long body, and not the whole, if %s', async (_, file, headers) => {
  const emulator = createEmulator({ scenario: scenarioOf(file), startedAt: noon })
  const bodies = createPets(emulator, headers)
  const held = () => {
    collectGarbage()
    return bodies.filter(body => body.deref() !== undefined).length
  }
  // The stack may hold the last one for some turns, and a journal that holds bodies holds all.
  await expect.poll(held).toBe(0)
  const { journal } = emulator.sandboxes.default
  expect(Array.from(journal, ({ call }) => (call.body as Uint8Array).length)).toEqual(Array(10).fill(16_384))
})
