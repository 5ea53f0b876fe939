import type { HttpHandler } from 'msw'
import { assemble } from '../testing/assemble.ts'
import type { PetMock, PetMockOptions } from '../testing/pet-mock.ts'
import { readNoFile } from '../testing/scenario-choice.ts'
import { sendInProcess } from '../testing/send-in-process.ts'
import { begin, settleChoice } from '../testing/start-emulator.ts'
import { answerAt } from './answer-at.ts'
import { keepOverReloads, type Page } from './keep-over-reloads.ts'
import { readMount } from './mount.ts'

export interface PetMockHandlersOptions extends PetMockOptions {
  /**
   * Where the client under test believes the service to be, with its `/v1`: `https://api.example.com/v1`. In a browser
   * it may be relative to the page: `/api/v1`. Requests elsewhere are left to other handlers.
   */
  readonly baseUrl: string
  /**
   * Whether everything goes on when the page is loaded again: pets, counts, bans, clocks, rules, of all sandboxes, as
   * long as `scenario` stays the same. It is kept in the tab's sessionStorage, which holds some 5 MB.
   * Without effect in Node. Default: false.
   */
  readonly persist?: boolean
}

/**
 * Request handlers, to be spread: `setupServer(...handlers)`, `setupWorker(...handlers)`.
 *
 * Faults of rules come as far as MSW can show them: `reset` and `empty` both as a network error, since MSW has but one;
 * `hang` stays without an answer until the client gives up; `truncate` fails while the body is read; `slow`,
 * `malformed` and delays are as over HTTP.
 */
export interface PetMockHandlers extends ReadonlyArray<HttpHandler> {
  /** What answers: its keys, its clock and all else that a program may ask it or change in it. */
  readonly mock: PetMock
}

/** Makes request handlers for MSW 2 and 3. Throws a PetMockError when the base URL or the scenario cannot be. */
export function petMockHandlers(options: PetMockHandlersOptions): PetMockHandlers {
  const { baseUrl, persist = false, ...rest } = options
  const { scenario = 'free-plan' } = rest
  const page = globalThis as Partial<Page> & { readonly location?: { readonly href: string } }
  const mount = readMount(baseUrl, page.location?.href)
  const { emulator, facts } = begin(settleChoice(scenario), { allowedHosts: [mount.hostname] })
  const { sandboxes, handle } = emulator
  const asked = JSON.stringify(rest, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))
  const stop =
    persist && isPage(page)
      ? keepOverReloads({ name: `pet-mock ${mount.baseUrl}`, asked, sandboxes }, page)
      : () => {}
  const mock = assemble({
    url: mount.baseUrl,
    ...facts,
    send: sendInProcess(emulator),
    readScenarioFile: readNoFile,
    close: async () => stop(),
  })
  return Object.assign([answerAt(mount, handle)], { mock })
}

function isPage(page: Partial<Page>): page is Page {
  return page.addEventListener !== undefined && page.sessionStorage !== undefined
}
