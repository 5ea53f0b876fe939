import { connectPetMock } from '../../src/library/testing/connect-pet-mock.ts'
import { createPetMock } from '../../src/library/testing/create-pet-mock.ts'
import type { PetMock, PetMockSandbox, ScenarioChoice } from '../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../src/library/testing/start-pet-mock.ts'

/** An open pet-mock, and how its API is called: by its own fetch, or by the platform's. */
export interface OpenPetMock {
  readonly mock: Omit<PetMockSandbox, 'delete'>
  /** Closes it, or deletes the sandbox. */
  readonly end: () => Promise<void>
  readonly list: (key?: string) => Promise<Response>
  readonly close: () => Promise<void>
}

type Way = (scenario: ScenarioChoice) => Promise<OpenPetMock>

function open(
  mock: PetMock | PetMockSandbox,
  close: () => Promise<void>,
  call: typeof globalThis.fetch = globalThis.fetch,
): OpenPetMock {
  const list: OpenPetMock['list'] = (key = mock.key) =>
    call(`${mock.url}/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } })
  return { mock, end: 'delete' in mock ? mock.delete : mock.close, list, close }
}

/** Every way in which a program holds a pet-mock: all have one interface. */
export const ways: readonly (readonly [name: string, way: Way])[] = [
  [
    'in process',
    async scenario => {
      const mock = createPetMock({ scenario })
      return open(mock, mock.close, mock.fetch)
    },
  ],
  [
    'over HTTP',
    async scenario => {
      const mock = await startPetMock({ scenario })
      return open(mock, mock.close)
    },
  ],
  [
    'connected to one elsewhere',
    async scenario => {
      const elsewhere = await startPetMock({ scenario })
      return open(await connectPetMock({ url: elsewhere.url }), elsewhere.close)
    },
  ],
  [
    'in a sandbox',
    async scenario => {
      const { sandbox, fetch, close } = createPetMock({ scenario })
      return open(sandbox('worker-3'), close, fetch)
    },
  ],
  [
    'in a sandbox elsewhere',
    async scenario => {
      const elsewhere = await startPetMock({ scenario })
      const { sandbox } = await connectPetMock({ url: elsewhere.url })
      return open(sandbox('worker-3'), elsewhere.close)
    },
  ],
]
