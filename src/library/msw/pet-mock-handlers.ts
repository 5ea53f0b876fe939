import { type HttpHandler, http } from 'msw'
import { createFetchDoor } from '../../doors/fetch/fetch-from.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { assemble } from '../testing/assemble.ts'
import { checkOptions, commonNames, type OptionNames } from '../testing/check-options.ts'
import { startInProcess } from '../testing/in-process.ts'
import type { PetMock, PetMockOptions } from '../testing/pet-mock.ts'
import { readNoFile } from '../testing/scenario-keys.ts'
import type { keepOverReloads, Page } from './keep-over-reloads.ts'
import { type Mount, readMount } from './mount.ts'

export interface PetMockHandlersOptions extends PetMockOptions {
  /**
   * The base URL that the client uses, with `/v1`: `https://api.example.com/v1`. In a browser it may be relative to
   * the page: `/api/v1`. Other handlers get all other requests.
   */
  readonly baseUrl: string
  /**
   * Keeps pets, counts, bans, clocks and rules of all sandboxes when the page reloads, as long as `scenario` stays the
   * same. The state is in the tab's sessionStorage, which holds about 5 MB. No effect in Node. Default: false.
   */
  readonly persist?: boolean
}

/**
 * Request handlers to spread: `setupServer(...handlers)`, `setupWorker(...handlers)`.
 *
 * MSW shows faults in part: `reset` and `empty` are the same network error. `hang` sends no response until the client
 * gives up. `truncate` fails while the body is read. `slow`, `malformed` and delays are as over HTTP.
 */
export interface PetMockHandlers extends ReadonlyArray<HttpHandler> {
  /** The emulator behind the handlers: its keys, its clock and all other controls. */
  readonly mock: PetMock
}

const names: OptionNames<PetMockHandlersOptions> = { ...commonNames, baseUrl: true, persist: true }

/** Creates request handlers for MSW 2 and 3. Throws a PetMockError for an invalid base URL, scenario or option. */
export function petMockHandlers(options: PetMockHandlersOptions): PetMockHandlers {
  checkOptions('petMockHandlers', options, names)
  const { baseUrl, persist = false, mask, box, ...rest } = options
  const page = globalThis as Partial<Page> & { readonly location?: { readonly href: string } }
  const mount = readMount(baseUrl, page.location?.href)
  const kept = JSON.stringify(rest, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))
  const { keyOf, send, handle, restored } = startInProcess(options, {
    origin: mount.baseUrl.replace(/\/v1$/, ''),
    allowedHosts: [mount.hostname],
    restore: sandboxes =>
      persist && isPage(page) ? keep(`pet-mock ${mount.baseUrl}`, kept, sandboxes, page) : undefined,
  })
  const mock = assemble({
    url: mount.baseUrl,
    keyOf,
    send,
    readScenarioFile: readNoFile,
    close: async () => (await restored)?.(),
  })
  return Object.assign([answerAt(mount, handle)], { mock })
}

/** Few pages keep their state, so the others do not load what does. */
async function keep(...state: Parameters<typeof keepOverReloads>): Promise<() => void> {
  return (await import('./keep-over-reloads.ts')).keepOverReloads(...state)
}

function isPage(page: Partial<Page>): page is Page {
  return page.addEventListener !== undefined && page.sessionStorage !== undefined
}

/** The MSW door: reads calls and writes replies. */
export function answerAt(mount: Mount, handle: (call: Call) => Reply | Promise<Reply>): HttpHandler {
  const answer = createFetchDoor(async call => {
    const reply = await handle({ ...call, target: mount.inside(call.target) })
    return { ...reply, headers: mount.outside(reply.headers) }
  })
  return http.all(mount.pattern, async ({ request }) => {
    try {
      return await answer(request)
    } catch (error) {
      // The client already has the reason. MSW would print the error.
      if (request.signal.aborted) return Response.error()
      throw error
    }
  })
}
