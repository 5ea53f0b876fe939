import { vi } from 'vitest'
import { unpackBox } from '../../src/judges/box/pack-box.ts'
import { playBox } from '../../src/judges/box/play-box.ts'
import { readBox } from '../../src/judges/box/read-box.ts'
import { browseBox, standBefore } from '../../src/judges/box/runs/browse-box.ts'
import { createPetMock } from '../../src/library/testing/create-pet-mock.ts'
import type { ServerOptions } from './raw-http.ts'

/**
 * A run of ten calls, half a second apart: call 4 adds a pet, a rule makes call 6 fail, and from call 7 on the key is banned, in
 * the sandbox worker-3. Call 1 is in the default sandbox.
 */
export async function recordExample(): Promise<Uint8Array<ArrayBuffer>> {
  let now = Date.parse('2026-03-02T09:00:00Z')
  vi.useFakeTimers({ toFake: ['Date'], now })
  const mock = createPetMock({ box: true })
  const worker = mock.sandbox('worker-3')
  const json = { 'Content-Type': 'application/json' }
  const send = (method: string, target: string, key = worker.key, body?: string) => {
    const headers = { Authorization: `Bearer ${key}`, ...(body !== undefined && json) }
    mock.handle({ method, target, headers, ...(body !== undefined && { body }) })
    now += 500
    vi.setSystemTime(now)
  }
  send('GET', '/v1/pets', mock.key)
  send('GET', '/v1/pets?limit=5')
  send('GET', '/v1/pets/1')
  send('POST', '/v1/pets', worker.key, '{"name":"Rex","categoryId":1}')
  await worker.rules.add({
    name: 'outage',
    match: { operation: 'listPets' },
    then: { status: 503 },
    times: 1,
  })
  send('GET', '/v1/pets/101')
  send('GET', '/v1/pets')
  await worker.keys.ban('demo-free', { for: '30s' })
  for (let call = 7; call <= 10; call += 1) send('GET', '/v1/pets')
  const box = await mock.box()
  vi.useRealTimers()
  return box
}

/** What a server needs that serves a box from before a call on. */
export async function openExample(bytes: Uint8Array<ArrayBuffer>, number: number): Promise<ServerOptions> {
  const box = await readBox([await unpackBox([bytes])])
  const player = await playBox(box)
  await standBefore(player, box, number)
  const { emulator } = player
  return { emulator, opened: browseBox(box, () => playBox(box), emulator, number) }
}
