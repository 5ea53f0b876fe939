import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import type { NearEmulator } from '../../../src/library/testing/near-emulator.ts'
import { planeInProcess } from '../../../src/library/testing/plane-in-process.ts'
import { describeChromium } from '../browser.ts'
import { serveSite } from '../site.ts'
import type { Door, OpenWay } from './door.ts'
import { inProcess } from './in-process.ts'
import { BeyondDoor, fetchLimits, limitOf, pageLimits } from './limits.ts'
import { complete, type TestReply, type TestRequest } from './request.ts'

const mark = 'x-pet-mock'
/** Characters of a snapshot: about a hundred sandboxes. */
const largest = 1_000_000

/**
 * The playground of the built site, which has a pet-mock of its own. The test's emulator gets the same calls, so that the test can
 * look into it. Where something else has changed its state, the page gets a snapshot of it before the next call.
 */
export const inSite: Door = {
  name: 'in the page of the site',
  timeout: 180_000,
  cannot: limitOf([...fetchLimits, ...pageLimits]),
  start: startPage,
}

function startPage(): OpenWay {
  const chromiumOf = describeChromium()
  const closers: (() => unknown)[] = []
  afterAll(async () => {
    for (const close of closers) await close()
  })
  let opening: Promise<Page> | undefined
  /** The state that the page has, if nothing but its own calls changed it since it got one. */
  let inPage: string | undefined
  const openPage = async ({ skip }: Parameters<OpenWay>[1]) => {
    const page = await (await chromiumOf({ skip })).newPage()
    closers.push(() => page.close())
    await page.goto(
      await serveSite({ skip, onTestFinished: close => void closers.push(close as () => unknown) }),
    )
    await page.getByRole('region', { name: 'Response' }).waitFor()
    return page
  }

  return async (emulator, context) => {
    opening ??= openPage(context)
    const page = await opening
    const { send: ask } = planeInProcess(emulator, 'fetch', undefined)
    const takeSnapshot = async () => {
      const { status, text } = await ask('GET', '/snapshot?sandbox=*', undefined)
      if (status !== 200) throw new BeyondDoor({ what: 'a broken state', why: 'no snapshot can have it' })
      if (text.length > largest)
        throw new BeyondDoor({
          what: 'hundreds of sandboxes',
          why: 'a snapshot for each call takes too long',
        })
      return text
    }
    const mirror = await inProcess.start()(emulator, context)
    let last: Promise<unknown> = Promise.resolve()
    const send = async (request: TestRequest = {}) => {
      const before = await takeSnapshot()
      const mirrored = await mirror.send(request).catch((error: unknown) => ({ error }))
      const { method, target, headers, body } = complete(request)
      const snapshot = before === inPage ? undefined : before
      const asked = { snapshot, method, target, headers, body: body && Buffer.from(body).toString('latin1') }
      const replied = await page.evaluate(callInPage, asked)
      inPage = await takeSnapshot()
      if ('error' in mirrored && 'failed' in replied) throw mirrored.error
      if ('failed' in replied) throw new Error(replied.failed)
      if (mark in replied.headers && !('error' in mirrored) && !(mark in mirrored.headers))
        throw new BeyondDoor({
          what: 'a server without marks',
          why: 'it is a flag, and no part of a snapshot',
        })
      return replied
    }
    return {
      host: 'pet-mock.localhost',
      send: request => {
        // One after the other: another call between the snapshot and the reply would be in one of the two only.
        const sent = last.then(() => send(request))
        last = sent.catch(() => {})
        return sent
      },
      close: mirror.close,
    }
  }
}

interface AskedOfPage {
  /** Undefined: the page has this state. */
  readonly snapshot: string | undefined
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  /** A character for each byte. */
  readonly body: string | undefined
}

/** Runs in the page. */
async function callInPage({
  snapshot,
  target,
  body,
  method,
  headers,
}: AskedOfPage): Promise<TestReply | { readonly failed: string }> {
  const near: NearEmulator = Reflect.get(globalThis, Symbol.for('pet-mock.near'))
  if (snapshot !== undefined) {
    const loaded = await near.send('PUT', '/snapshot?sandbox=*', snapshot)
    if (loaded.status !== 200) throw new Error(loaded.text)
  }
  try {
    const response = await near.callApi(target, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body !== undefined && { body: Uint8Array.from(body, byte => byte.charCodeAt(0)) }),
    })
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), text }
  } catch (error) {
    return { failed: String(error) }
  }
}
