import type { HttpHandler } from 'msw'
import { assemble } from '../testing/assemble.ts'
import { begin, settleChoice } from '../testing/begin.ts'
import type { PetMock, PetMockOptions } from '../testing/pet-mock.ts'
import { readNoFile } from '../testing/scenario-choice.ts'
import { sendInProcess } from '../testing/send-in-process.ts'
import { answerAt } from './answer-at.ts'
import { readMount } from './mount.ts'

export interface PetMockHandlersOptions extends PetMockOptions {
  /**
   * Where the client under test believes the service to be, with its `/v1`: `https://api.example.com/v1`. In a browser
   * it may be relative to the page: `/api/v1`. Requests elsewhere are left to other handlers.
   */
  readonly baseUrl: string
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
  const { baseUrl, scenario = 'free-plan' } = options
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  const mount = readMount(baseUrl, location?.href)
  const { emulator, facts } = begin(settleChoice(scenario), { allowedHosts: [mount.hostname] })
  const mock = assemble({
    url: mount.baseUrl,
    ...facts,
    send: sendInProcess(emulator),
    readScenarioFile: readNoFile,
    close: async () => {},
  })
  return Object.assign([answerAt(mount, emulator.handle)], { mock })
}
