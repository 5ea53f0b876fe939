import type { Page } from 'playwright-core'
import type { NearEmulator } from '../../../src/library/testing/near-emulator.ts'
import { openChromium } from '../browser.ts'
import { serveSite } from '../site.ts'
import type { Door, OpenWay } from './door.ts'
import { BeyondDoor, fetchLimits, limitOf, pageLimits } from './limits.ts'
import { type Mirror, openMirrored } from './mirrored.ts'
import { complete, type TestReply } from './request.ts'

const mark = 'x-pet-mock'

/** The page is open until the worker ends: loading it takes a second. */
let opening: Promise<Mirror> | undefined

/** The playground of the built site, which has a pet-mock of its own. */
export const inSite: Door = {
  name: 'in the page of the site',
  timeout: 180_000,
  cannot: limitOf([...fetchLimits, ...pageLimits]),
  start: () => async (emulator, context) => {
    opening ??= openSite(context)
    return await openMirrored(emulator, context, '127.0.0.1:7387', await opening)
  },
}

async function openSite({ skip }: Parameters<OpenWay>[1]): Promise<Mirror> {
  const page = await (await openChromium({ skip })).newPage()
  await page.goto(await serveSite({ skip, onTestFinished: () => {} }))
  await page.getByRole('region', { name: 'Response' }).waitFor()
  return { state: undefined, largest: 1_000_000, call: (...asked) => callPage(page, ...asked) }
}

async function callPage(page: Page, ...[request, snapshot, own]: Parameters<Mirror['call']>) {
  const { method, target, headers, body } = complete(request)
  const asked = { snapshot, method, target, headers, body: body && Buffer.from(body).toString('latin1') }
  const replied = await page.evaluate(callInPage, asked)
  if ('failed' in replied) throw own instanceof Error ? own : new Error(replied.failed)
  if (mark in replied.headers && !(own instanceof Error) && !(mark in own.headers))
    throw new BeyondDoor({ what: 'a server without marks', why: 'it is a flag, and no part of a snapshot' })
  return replied
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
