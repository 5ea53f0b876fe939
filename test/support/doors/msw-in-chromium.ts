import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Emulator } from '../../../src/emulator/emulator.ts'
import { openChromium } from '../browser.ts'
import { bundleForPages, servePage } from '../page-bundle.ts'
import type { CallOfPage, PageOfDoors } from './chromium-page.ts'
import type { Door } from './door.ts'
import { BeyondDoor, fetchLimits, limitOf, pageLimits, redirectLimit } from './limits.ts'
import { asOverHttp } from './msw-in-node.ts'
import { complete } from './request.ts'

const emulators = new Map<number, Emulator>()
let doors = 0
/** The page is open until the worker ends: loading it takes a second. */
let opening: Promise<Page> | undefined

/** The client is a page, and MSW answers it by its service worker. The emulator stays in the test, which looks into it. */
export const mswInChromium: Door = {
  name: 'through MSW in Chromium',
  timeout: 180_000,
  cannot: limitOf([...fetchLimits, ...pageLimits]),
  start: () => async (emulator, context) => {
    opening ??= openPage(context)
    const page = await opening
    const door = doors++
    emulators.set(door, emulator)
    const host = `door-${door}.localhost`
    await page.evaluate(([door, url]) => (globalThis as unknown as PageOfDoors).openDoor(door, url), [
      door,
      `http://${host}/v1`,
    ] as const)
    return {
      host,
      send: async request => {
        const { method, target, headers, body } = complete(request)
        const asked = { method, headers, url: `http://${host}${target}`, body: body && textOf(body) }
        try {
          const { type, ...reply } = await page.evaluate(
            asked => (globalThis as unknown as PageOfDoors).ask(asked),
            asked,
          )
          if (type === 'opaqueredirect') throw new BeyondDoor(redirectLimit)
          return reply
        } catch (error) {
          throw asOverHttp(error, [...emulator.sandboxes.default.journal].at(-1)?.reply.fault)
        }
      },
      close: () => {
        emulators.delete(door)
        return page.evaluate(() => (globalThis as unknown as PageOfDoors).closeDoors())
      },
    }
  },
}

async function openPage(context: Parameters<typeof openChromium>[0]): Promise<Page> {
  const browser = await openChromium(context)
  const server = await servePage(
    await bundleForPages(fileURLToPath(new URL('./chromium-page.ts', import.meta.url))),
  )
  const page = await browser.newPage()
  await page.exposeFunction('answer', (door: number, { body, ...call }: CallOfPage) =>
    emulators.get(door)?.handle({ ...call, body: body === 'too-large' ? body : bytesOf(body) }),
  )
  await page.goto(server.origin)
  await page.evaluate(async () => {
    await (globalThis as unknown as PageOfDoors).ready
  })
  return page
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new Uint8Array(Buffer.from(text, 'latin1'))
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
