import { fetchFrom } from '../../doors/fetch/fetch-from.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Call } from '../../service/call/call.ts'
import { afterChanges } from './after-changes.ts'
import { assemble } from './assemble.ts'
import { type NearEmulator, nearName } from './near-emulator.ts'
import type { InProcess, PetMock, PetMockOptions, PlainCall } from './pet-mock.ts'
import { planeInProcess } from './plane-in-process.ts'
import type { ReadScenarioFile } from './scenario-keys.ts'
import { readProfileObject, settleChoice, startEmulator, watchRequired } from './start-emulator.ts'

interface Place {
  /** The URL before `/v1`. */
  readonly origin: string
  readonly allowedHosts?: readonly string[]
  /** Restores what was kept. Calls wait for it. */
  readonly restore?: (sandboxes: Sandboxes) => Promise<() => void> | undefined
}

/** Starts an emulator in this process, with its admin plane. Throws a PetMockError for an invalid scenario or option. */
export function startInProcess(options: PetMockOptions, { origin, allowedHosts, restore }: Place) {
  const { scenario = 'free-plan', profile, mask, box: isRecorded = false } = options
  const watch = watchRequired(options)
  const settled = settleChoice(scenario, 'fetch', profile && readProfileObject(profile))
  const { emulator, record, keyOf } = startEmulator(settled, mask, 'fetch', {
    ...(allowedHosts && { allowedHosts }),
    ...(watch && { pass: watch.pass }),
  })
  const restored = restore?.(emulator.sandboxes)
  const box = isRecorded ? record(restored) : undefined
  const plane = planeInProcess(emulator, 'fetch', box)
  const { send, inOrder } = afterChanges(plane.send, box ?? restored)
  const handle = inOrder(emulator.handle)
  const fetch = fetchFrom(handle)
  const callApi: NearEmulator['callApi'] = (target, init) => fetch(origin + target, init)
  const near: NearEmulator = { send, events: plane.events, callApi, origin }
  // For `pet-mock/panel`: the last emulator that was made. Node has no page, so nobody looks there.
  if ('document' in globalThis) Reflect.set(globalThis, nearName, near)
  return { emulator, keyOf, send, handle, fetch, near, restored, assumed: watch?.report }
}

/** A name of this machine (RFC 6761, section 6.3). Only this mock's `fetch` answers there. */
const host = 'pet-mock.localhost'
export const origin = `http://${host}`

/** A pet-mock in this process, and how its page reaches it. */
export function inProcess(options: PetMockOptions, readScenarioFile: ReadScenarioFile, at = origin) {
  const { emulator, keyOf, send, fetch, near, assumed } = startInProcess(options, { origin: at })
  const calls = { fetch, handle: (call: PlainCall) => emulator.handle(callOf(call)) }
  const withCalls = <Mock extends Pick<PetMock, 'sandbox'>>(
    mock: Mock,
  ): InProcess & Omit<Mock, 'sandbox'> => {
    const { sandbox } = mock
    // A copy would keep the key of this moment.
    return Object.assign(mock, calls, { sandbox: (name: string) => withCalls(sandbox(name)) })
  }
  const url = `${at}/v1`
  return {
    mock: withCalls(assemble({ url, keyOf, send, readScenarioFile, close: async () => {}, assumed })),
    near,
  }
}

function callOf({ method, target, headers = {}, body }: PlainCall): Call {
  const names = Object.keys(headers)
  const usual = names.some(name => /^host$/i.test(name)) ? [] : ['host', host]
  return {
    method,
    target,
    headers: [...usual, ...Object.entries(headers).flat()],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: Date.now(),
  }
}
