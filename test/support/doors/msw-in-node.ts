import { setupServer } from 'msw/node'
import { afterAll, beforeAll } from 'vitest'
import { readMount } from '../../../src/library/msw/mount.ts'
import { answerAt } from '../../../src/library/msw/pet-mock-handlers.ts'
import type { Fault } from '../../../src/service/call/fault.ts'
import { isMsw3 } from '../msw-version.ts'
import { brokenAs, type Door, type OpenWay } from './door.ts'
import { fetchLimits, hostLimit, limitOf } from './limits.ts'
import { brokenBody, type CompleteRequest, complete, readBody, type TestReply } from './request.ts'

export const mswInNode: Door = {
  name: 'through MSW in Node',
  cannot: limitOf(isMsw3 ? [...fetchLimits, hostLimit] : fetchLimits),
  start: startServer,
}

function startServer(): OpenWay {
  const server = setupServer()
  let opened = 0
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(() => server.close())
  return async emulator => {
    opened += 1
    const host = `door-${opened}.localhost`
    server.use(answerAt(readMount(`http://${host}/v1`), emulator.handle))
    return {
      host,
      send: async request => {
        try {
          return await ask(host, complete(request))
        } catch (error) {
          throw asOverHttp(error, [...emulator.sandboxes.default.journal].at(-1)?.reply.fault)
        }
      },
      close: async () => server.resetHandlers(),
    }
  }
}

async function ask(host: string, { method, target, headers, body }: CompleteRequest): Promise<TestReply> {
  const response = await fetch(`http://${host}${target}`, {
    method,
    redirect: 'manual',
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body !== undefined && { body: new Uint8Array(body) }),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await readBody(response),
  }
}

/** The error of a broken reply in the words of the suite. MSW's network error does not say whether it was a reset. */
export function asOverHttp(error: unknown, fault: Fault | undefined): unknown {
  const text = error instanceof Error ? error.message : `${error}`
  if (/Failed to fetch/.test(text) && (fault === 'reset' || fault === 'empty'))
    return new Error(brokenAs[fault])
  if (text.includes(brokenBody) && fault === 'truncate') return new Error(brokenAs.truncate)
  return error
}
