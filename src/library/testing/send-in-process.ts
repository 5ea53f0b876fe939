import { lazily } from '../../base/lazily.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { FindPage } from '../../doors/admin/pages/find-page.ts'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { after, type LoadAdminPlane, lateAdminPlane } from '../../doors/server/load-admin.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { KeptBox } from '../../judges/box/keep-box.ts'
import type { Door } from '../../service/call/fault.ts'
import type { Send } from '../client/ask-plane.ts'
import { reportDefect } from './start-emulator.ts'

const host = '127.0.0.1'

/** Sends requests to the admin plane of an emulator in this process. The first request loads the plane. */
export function sendInProcess(emulator: Emulator, door: Door, box: Promise<KeptBox> | undefined): Send {
  const load = loadPlaneOf(emulator, door, box, '*')
  const loaded = lazily(() => load(host))
  return async (method, target, body) => {
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
    const response = await plane(call, {
      signal: new AbortController().signal,
      after,
      // The caller waits for the response anyway, and tests replace the timers that could pause.
      nextTurn: async () => {},
      readBody: bytes && (() => ({ body: Promise.resolve(bytes), stop: () => {} })),
      freeHeap: () => Number.POSITIVE_INFINITY,
    })
    return { status: response.status, text: await response.text() }
  }
}

/** Loads the admin plane of an emulator when it is first used. */
export function loadPlaneOf(
  emulator: Emulator,
  door: Door,
  box: Promise<KeptBox> | undefined,
  allowedHosts: readonly string[] | '*',
  findPage?: FindPage,
): LoadAdminPlane {
  return lateAdminPlane({
    emulator,
    fixtures: shippedFixtures,
    door,
    copyBox: box && (async sandbox => (await box).copy(sandbox)),
    allowedHosts,
    findPage,
    token: undefined,
    onError: reportDefect,
  })
}
