import { env } from 'node:process'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { createAsk } from '../client/ask-plane.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { sendOverHttp } from '../client/send-over-http.ts'
import { assemble } from './assemble.ts'
import { checkOptions, type OptionNames } from './check-options.ts'
import type { PetMock } from './pet-mock.ts'
import { readScenarioFile } from './read-files.ts'
import { keyElsewhere } from './scenario-keys.ts'

export interface ConnectPetMockOptions {
  /** The base URL, with its `/v1`. Default: `PET_MOCK_URL` of the environment, as `pet-mock exec` sets it. */
  readonly url?: string
  /** The URL of the admin plane. Default: `PET_MOCK_ADMIN`, or `/__admin` beside the API. */
  readonly admin?: string
  /** Default: the key of the server's scenario; before a scenario is set, `PET_MOCK_KEY` goes first. */
  readonly key?: string
  /** The token of the server's `--admin-token`. */
  readonly adminToken?: string
}

const names: OptionNames<ConnectPetMockOptions> = { url: true, admin: true, key: true, adminToken: true }

/**
 * Connects to a running pet-mock: of `pet-mock`, `pet-mock exec` or another process of a test suite. Closing it does
 * not stop the server. Rejects with a PetMockError if there is no server, or no URL.
 */
export async function connectPetMock(options: ConnectPetMockOptions = {}): Promise<PetMock> {
  checkOptions('connectPetMock', options, names)
  const url = options.url ?? env.PET_MOCK_URL
  if (url === undefined) {
    throw new PetMockError(
      'unreachable',
      'url: missing. Give the base URL of pet-mock, such as http://127.0.0.1:7387/v1, or run this below "pet-mock exec -- COMMAND", which sets PET_MOCK_URL.',
    )
  }
  const handed = options.url === undefined ? env : {}
  const admin = options.admin ?? handed.PET_MOCK_ADMIN ?? new URL(adminPath, url).href
  const send = sendOverHttp(admin, options.adminToken)
  const { keyOf, watch } = await keyElsewhere(createAsk(send, undefined), options.key, handed.PET_MOCK_KEY)
  return assemble({ readScenarioFile, url, keyOf, watch, send, close: async () => {} })
}
