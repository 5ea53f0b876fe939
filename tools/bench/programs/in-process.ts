import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import type { Call } from '../../../src/service/call/call.ts'
import { unlimited } from './pets-world.ts'

const startedAt = Date.now()

export function emulatorOf(pets: number, fields: ScenarioFile = {}): Emulator {
  const scenario = settle('bench', { ...unlimited(pets), ...fields }, shippedFixtures)
  return createEmulator({ scenario, startedAt })
}

/** A call as the HTTP door makes it of what a load generator sends. */
export function callOf(
  target: string,
  { key = 'bench', body }: { key?: string; body?: Uint8Array } = {},
): Call {
  const headers = ['Host', '127.0.0.1:7387', 'Authorization', `Bearer ${key}`]
  if (body !== undefined) headers.push('Content-Type', 'application/json', 'Content-Length', `${body.length}`)
  return {
    method: body === undefined ? 'GET' : 'POST',
    target,
    headers,
    body,
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: startedAt,
  }
}
