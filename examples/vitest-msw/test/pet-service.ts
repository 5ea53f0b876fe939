import { setupServer } from 'msw/node'
import { type PetMockHandlersOptions, petMockHandlers } from 'pet-mock/msw'
import { afterAll, afterEach, beforeAll } from 'vitest'

const baseUrl = 'https://api.example.com/v1'

/** The pet service for the tests of a file. `start` replaces it with a new one. */
export function describePetService() {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return {
    server,
    start: (options: Omit<PetMockHandlersOptions, 'baseUrl'> = {}) => {
      const handlers = petMockHandlers({ baseUrl, ...options })
      server.use(...handlers)
      return handlers.mock
    },
  }
}
