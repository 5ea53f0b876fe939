import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { petMockHandlers } from '../../../src/library/msw/entry.ts'
import {
  connectPetMock,
  createPetMock,
  type PetMock,
  startPetMock,
} from '../../../src/library/testing/entry.ts'
import { replayBox } from '../../support/replay-box.ts'

const list = async ({ url, key }: Pick<PetMock, 'url' | 'key'>, send: typeof fetch = fetch) =>
  (await send(`${url}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status

it('in process, the box has the run', async () => {
  const mock = createPetMock({ box: true })
  const send = mock.fetch as typeof fetch
  await list(mock, send)
  await mock.keys.ban(mock.key, { for: '30s' })
  await list(mock, send)
  await list(mock.sandbox('other'), send)
  expect(await replayBox(await mock.box())).toEqual([200, 429, 200])
})

it('a sandbox has a box of its own, also where another program serves it', async () => {
  await using server = await startPetMock({ box: true })
  const own = server.sandbox('own')
  await own.keys.ban('demo-free', { for: '30s' })
  for (const mock of [server, own, server.sandbox('other'), own]) await list(mock)
  expect(await replayBox(await own.box())).toEqual([429, 429])
  const elsewhere = await connectPetMock({ url: server.url })
  expect(await replayBox(await elsewhere.sandbox('own').box())).toEqual([429, 429])
  expect(await replayBox(await elsewhere.box())).toEqual([200, 429, 200, 429])
})

it('startPetMock writes it when it is closed', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'pet-mock-box-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const box = join(folder, 'run.petbox')
  const mock = await startPetMock({ box })
  await list(mock)
  await mock.close()
  expect(await replayBox(readFileSync(box))).toEqual([200])
  const lost = await startPetMock({ box: join(folder, 'no', 'run.petbox') })
  await expect(lost.close()).rejects.toMatchObject({
    code: 'cannot_write',
    message: expect.stringMatching(/^box: .*run\.petbox cannot be written \(ENOENT/),
  })
})

it('handlers for MSW give it', async ({ onTestFinished }) => {
  const handlers = petMockHandlers({ baseUrl: 'https://api.example.com/v1', box: true })
  const server = setupServer(...handlers)
  server.listen()
  onTestFinished(() => server.close())
  await list(handlers.mock)
  expect(await replayBox(await handlers.mock.box())).toEqual([200])
})

it('keeps the last of a long run', async () => {
  const mock = createPetMock({ box: true })
  for (let call = 1; call <= 1_200; call += 1)
    mock.handle({ method: 'GET', target: '/v1/pets?limit=1', headers: { Authorization: 'Bearer nobody' } })
  expect(await replayBox(await mock.box())).toHaveLength(1_200)
})

it('says how to get one where nobody records', async () => {
  await expect(createPetMock().box()).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('with the option box'),
  })
})
