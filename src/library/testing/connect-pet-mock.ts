import { env } from 'node:process'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { createAsk } from '../client/ask-plane.ts'
import type { KeyState, ScenarioState } from '../client/controls.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { sendOverHttp } from '../client/send-over-http.ts'
import { assemble } from './assemble.ts'
import type { PetMock } from './pet-mock.ts'
import { readScenarioFile } from './read-scenario-file.ts'

export interface ConnectPetMockOptions {
  /** The base URL, with its `/v1`. Default: `PET_MOCK_URL` of the environment, as `pet-mock exec` sets it. */
  readonly url?: string
  /** Where the admin plane is. Default: `PET_MOCK_ADMIN`, or `/__admin` beside the API. */
  readonly admin?: string
  /** Default: `PET_MOCK_KEY`, or the key of the server's scenario. */
  readonly key?: string
  /** The token of a server that was started with `--admin-token`. */
  readonly adminToken?: string
}

/**
 * A pet-mock that runs elsewhere, started by `pet-mock`, `pet-mock exec` or another process of a test suite. To close
 * it is to let go of it: the server runs on. Rejects with a PetMockError when there is none, or when it is not told which.
 */
export async function connectPetMock(options: ConnectPetMockOptions = {}): Promise<PetMock> {
  const url = options.url ?? env.PET_MOCK_URL
  if (url === undefined) {
    throw new PetMockError(
      'unreachable',
      'url: where is pet-mock? Give its base URL, such as http://127.0.0.1:7387/v1, or run this in "pet-mock exec -- COMMAND", which sets PET_MOCK_URL.',
    )
  }
  const told = options.url === undefined ? env : {}
  const admin = options.admin ?? told.PET_MOCK_ADMIN ?? new URL(adminPath, url).href
  const send = sendOverHttp(admin, options.adminToken)
  const ask = createAsk(send, undefined)
  const [{ key }, { keys }] = await Promise.all([
    ask<ScenarioState>('GET', '/scenario'),
    ask<{ readonly keys: readonly KeyState[] }>('GET', '/keys'),
  ])
  return assemble({
    readScenarioFile,
    url,
    key: options.key ?? told.PET_MOCK_KEY ?? key,
    keys: Object.fromEntries(keys.map(({ key, plan }) => [key, plan])),
    send,
    close: async () => {},
  })
}
