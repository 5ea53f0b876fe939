import { lazily } from '../../base/lazily.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { AdminOptions } from '../../doors/admin/plane.ts'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { after, type LoadAdminPlane, lateAdminPlane } from '../../doors/server/load-admin.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { KeptBox } from '../../judges/box/keep-box.ts'
import type { BrowsedBox } from '../../judges/box/runs/browse-box.ts'
import type { Door } from '../../service/call/fault.ts'
import type { Send } from '../client/ask-plane.ts'
import { reportDefect } from './start-emulator.ts'

const host = '127.0.0.1'

/** Reaches the admin plane of an emulator in this process. The first request loads the plane. */
export function planeInProcess(
  emulator: Emulator,
  door: Door,
  box: Promise<KeptBox> | undefined,
  opened?: BrowsedBox,
) {
  const load = loadPlaneOf(emulator, door, box, '*', { opened })
  const loaded = lazily(() => load(host))
  const ask = async (
    method: string,
    target: string,
    body?: string,
    signal = new AbortController().signal,
  ) => {
    const plane = await loaded()
    const headers = ['host', host, 'content-type', 'application/json']
    const call = {
      method,
      target: `${adminPath}${target}`,
      headers,
      body: undefined,
      scheme: 'http',
      client: host,
      receivedAt: Date.now(),
    } as const
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
    return plane(call, {
      signal,
      after,
      // The caller waits for the response anyway, and tests replace the timers that could pause.
      nextTurn: async () => {},
      readBody: bytes && (() => ({ body: Promise.resolve(bytes), stop: () => {} })),
      freeHeap: () => Number.POSITIVE_INFINITY,
    })
  }
  const send: Send = async (...request) => {
    const response = await ask(...request)
    return { status: response.status, text: await response.text() }
  }
  return { send, events: (signal: AbortSignal) => ask('GET', '/events', undefined, signal) }
}

/** Loads the admin plane of an emulator when it is first used. */
export function loadPlaneOf(
  emulator: Emulator,
  door: Door,
  box: Promise<KeptBox> | undefined,
  allowedHosts: readonly string[] | '*',
  more: Pick<AdminOptions, 'findPage' | 'opened'>,
): LoadAdminPlane {
  return lateAdminPlane({
    emulator,
    fixtures: shippedFixtures,
    door,
    copyBox: box && (async sandbox => (await box).copy(sandbox)),
    allowedHosts,
    ...more,
    token: undefined,
    onError: reportDefect,
  })
}
