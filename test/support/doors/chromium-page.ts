import { setupWorker } from 'msw/browser'
import { readMount } from '../../../src/library/msw/mount.ts'
import { answerAt } from '../../../src/library/msw/pet-mock-handlers.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { readBody, type TestReply } from './request.ts'

/* Runs in the page: MSW's worker with pet-mock's handlers, whose emulators are in the test. */

export interface AskedOfPage {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  /** A character for each byte. */
  readonly body: string | undefined
}

/** A call as it leaves the page; `body` has a character for each byte. */
export type CallOfPage = Omit<Call, 'body'> & { readonly body: string | undefined }

export interface ReplyOfPage extends TestReply {
  /** https://fetch.spec.whatwg.org/#concept-response-type */
  readonly type: string
}

/** What the test calls in the page, and `answer`, which the page calls in the test. */
export interface PageOfDoors {
  /** Answers a call of the door with this number. */
  answer: (door: number, call: CallOfPage) => Promise<Reply>
  openDoor: (door: number, baseUrl: string) => void
  closeDoors: () => void
  ask: (asked: AskedOfPage) => Promise<ReplyOfPage>
  ready: Promise<unknown>
}

const page = globalThis as unknown as PageOfDoors
const worker = setupWorker()

page.ready = worker.start({ quiet: true, onUnhandledRequest: 'bypass' })

page.openDoor = (door, baseUrl) => {
  worker.use(
    answerAt(readMount(baseUrl), call =>
      page.answer(door, { ...call, body: typeof call.body === 'object' ? toText(call.body) : call.body }),
    ),
  )
}
page.closeDoors = () => worker.resetHandlers()

page.ask = async ({ url, method, headers, body }) => {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body !== undefined && { body: Uint8Array.from(body, byte => byte.charCodeAt(0)) }),
  })
  const { status, type } = response
  return { status, type, headers: Object.fromEntries(response.headers), text: await readBody(response) }
}

function toText(bytes: Uint8Array): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('')
}
