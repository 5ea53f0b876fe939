import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { petMockHandlers } from '../../../src/library/msw/entry.ts'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import type { PetMock } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'

type Opened = readonly [PetMock, typeof globalThis.fetch]

const doors: readonly [string, () => Promise<Opened>][] = [
  [
    'in process',
    async () => {
      const mock = createPetMock()
      return [mock, mock.fetch]
    },
  ],
  [
    'over HTTP',
    async () => {
      const mock = await startPetMock()
      onTestFinished(() => mock.close())
      return [mock, fetch]
    },
  ],
  [
    'through MSW',
    async () => {
      const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1' })
      const server = setupServer(...handlers)
      server.listen()
      onTestFinished(() => server.close())
      return [handlers.mock, fetch]
    },
  ],
]

test.each(doors)('a change without await is done before the next call: %s', async (_, open) => {
  const [mock, send] = await open()
  const left = async () => {
    const response = await send(`${mock.url}/pets`, { headers: { Authorization: `Bearer ${mock.key}` } })
    return response.headers.get('x-ratelimit-remaining')
  }
  expect(await left()).toBe('59')
  void mock.reset()
  expect(await left()).toBe('59')
  for (let run = 0; run < 20; run += 1) void mock.reset()
  expect(await left()).toBe('59')
  void mock.keys.add('late', { plan: 'pro' })
  const late = await send(`${mock.url}/pets`, { headers: { Authorization: 'Bearer late' } })
  expect(late.status).toBe(200)
})

test('a wait for requests holds no call back', async () => {
  const mock = createPetMock()
  const waiting = mock.requests.wait({ operation: 'listPets' })
  await mock.fetch(`${mock.url}/pets`, { headers: { Authorization: `Bearer ${mock.key}` } })
  expect(await waiting).toHaveLength(1)
})
