import { expect, it } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.ts'
import type { OpenAreas } from '../../src/emulator/gates/open-areas.ts'
import { reply } from '../../src/service/call/answer.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

/** PATCH /v1/pets/{petId}, on the path of the deprecated getPet. */
const patching: OpenAreas = {
  paths: ['/v1/pets/{petId}'],
  methods: ['PATCH'],
  find: (path, method) =>
    path === '/v1/pets/1' && method === 'PATCH'
      ? { id: 'updatePet', source: 'mocker', stability: undefined, answer: () => reply(200, '{}') }
      : undefined,
  methodsAt: path => (path === '/v1/pets/1' ? ['PATCH'] : []),
}

function callAt(instant: string) {
  const scenario = scenarioOf({ clock: { at: instant, frozen: true } })
  const emulator = createEmulator({ scenario, startedAt: noon })
  emulator.openAreas(patching)
  return (method: string) => {
    const { status, headers, body } = emulator.handle({
      method,
      target: '/v1/pets/1',
      headers: ['Host', 'localhost', 'Authorization', 'Bearer demo-free'],
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: noon,
    })
    return { status, allow: headers.Allow, sunset: headers.Sunset, code: JSON.parse(body ?? '{}').code }
  }
}

it.each([
  ['GET', { status: 200, sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }],
  ['PATCH', { status: 200, sunset: undefined }],
  ['DELETE', { status: 405, allow: 'GET, HEAD, PATCH, OPTIONS' }],
])('before the removal of getPet, %s', (method, expected) => {
  expect(callAt('2030-12-04T23:59:59Z')(method)).toMatchObject(expected)
})

it.each([
  ['GET', { status: 404, code: 'endpoint_removed' }],
  ['PATCH', { status: 200, sunset: undefined }],
  ['DELETE', { status: 405, allow: 'PATCH, OPTIONS' }],
])('after the removal of getPet, another operation of its path lives on: %s', (method, expected) => {
  expect(callAt('2030-12-05T00:00:00Z')(method)).toMatchObject(expected)
})
