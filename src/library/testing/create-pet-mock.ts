import { fetchFrom } from '../../doors/fetch/fetch-from.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { afterChanges } from './after-changes.ts'
import { assemble } from './assemble.ts'
import { checkOptions, commonNames } from './check-options.ts'
import type { PetMock, PetMockOptions, PetMockSandbox } from './pet-mock.ts'
import { readScenarioFile } from './read-files.ts'
import { sendInProcess } from './send-in-process.ts'
import { readProfileObject, settleChoice, startEmulator, watchRequired } from './start-emulator.ts'

interface InProcess {
  /** A `fetch` for clients that accept one: it behaves as if pet-mock were served at `url`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Answers a call synchronously: each call is one indivisible step. Await changes before it. */
  readonly handle: (call: PlainCall) => Reply
  readonly sandbox: (name: string) => InProcessSandbox
}
export interface InProcessSandbox extends InProcess, Omit<PetMockSandbox, 'sandbox'> {}
/** pet-mock in this process, without a socket. */
export interface InProcessPetMock extends InProcess, Omit<PetMock, 'sandbox'> {}

/** A call as plain values. */
export interface PlainCall {
  readonly method: string
  /** The path and the query: `/v1/pets?limit=5`. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A name of this machine (RFC 6761, section 6.3). Only this mock's `fetch` answers there. */
const host = 'pet-mock.localhost'
const url = `http://${host}/v1`

/** Creates a pet-mock in this process. Throws a PetMockError for an invalid scenario or option. */
export function createPetMock(options: PetMockOptions = {}): InProcessPetMock {
  checkOptions('createPetMock', options, commonNames)
  checkGlobals()
  const { scenario = 'free-plan', profile, mask, box: isRecorded = false } = options
  const watch = watchRequired(options)
  const settled = settleChoice(scenario, 'fetch', profile && readProfileObject(profile))
  const passing = watch && { pass: watch.pass }
  const { emulator, record, keyOf } = startEmulator(settled, mask, 'fetch', passing)
  const { handle } = emulator
  const box = isRecorded ? record() : undefined
  const { send, inOrder } = afterChanges(sendInProcess(emulator, 'fetch', box), box)
  const calls = { fetch: fetchFrom(inOrder(handle)), handle: (call: PlainCall) => handle(callOf(call)) }
  const withCalls = <Mock extends Pick<PetMock, 'sandbox'>>(
    mock: Mock,
  ): InProcess & Omit<Mock, 'sandbox'> => {
    const { sandbox } = mock
    // A copy would keep the key of this moment.
    return Object.assign(mock, calls, { sandbox: (name: string) => withCalls(sandbox(name)) })
  }
  return withCalls(
    assemble({ url, keyOf, send, readScenarioFile, close: async () => {}, assumed: watch?.report }),
  )
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

/** Jest's jsdom hides these globals of Node. */
function checkGlobals(): void {
  const missing = ['Request', 'Response', 'TextEncoder', 'TextDecoder'].filter(name => !(name in globalThis))
  if (missing.length === 0) return
  throw new PetMockError(
    'missing_globals',
    `createPetMock: this environment has no ${missing.join(', ')}. Jest's jsdom hides them: set testEnvironment to jest-fixed-jsdom, or use connectPetMock, as docs/testing.md shows.`,
  )
}
