import { describe, expect, test } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import type { ExpectableFinding } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { ways } from '../../support/pet-mocks.ts'

/** The second refused call is banned. */
const strict = {
  extends: 'free-plan',
  keys: { 'demo-free': { plan: 'free', used: { minute: 60 } } },
  bans: { after: 2 },
} as const

const missing = { name: 'PetMockError', code: 'finding_missing' }

describe.each(ways)('%s', (_, open) => {
  test('an expected finding that comes fails nothing', async () => {
    const { mock, list, end, close } = await open(strict)
    await mock.expectFinding('banned')
    for (const _call of [1, 2]) await list()
    const banned = (await mock.conduct()).findings.filter(({ id }) => id === 'banned')
    expect(banned).toMatchObject([{ expected: true, count: 1 }])
    await end()
    await close()
  })

  test('closing or deleting rejects if it does not come, and has closed', async () => {
    const { mock, list, end, close } = await open('free-plan')
    await mock.expectFinding('banned')
    await list()
    await expect(end()).rejects.toMatchObject({
      ...missing,
      message: expect.stringMatching(
        /^The expected finding banned( in the sandbox worker-3)? did not come\. From request #1 on, pet-mock found no other finding\.$/,
      ),
    })
    await close().catch(() => {})
  })

  test('a scenario that starts banned says why no request was the cause', async () => {
    const { mock, list, end, close } = await open('ban')
    await mock.expectFinding('banned')
    await list()
    await expect(end()).rejects.toMatchObject({
      ...missing,
      message: expect.stringMatching(
        /none of these requests caused the ban\. For calls during a ban, expect call-during-ban\.$/,
      ),
    })
    await close().catch(() => {})
  })

  test.each<[string, (mock: Awaited<ReturnType<typeof open>>['mock']) => Promise<unknown>]>([
    ['reset', mock => mock.reset()],
    ['scenario.use', mock => mock.scenario.use('free-plan')],
    ['snapshot.load', async mock => mock.snapshot.load(await mock.snapshot.save())],
  ])('%s ends an expectation, and rejects once', async (_name, act) => {
    const { mock, list, end, close } = await open(strict)
    await mock.expectFinding('early-retry')
    await list()
    await expect(act(mock)).rejects.toMatchObject(missing)
    expect(await mock.requests.count()).toBe(0)
    await act(mock)
    await end()
    await close()
  })

  test('an unknown id is refused with a suggestion, and is not expected', async () => {
    const { mock, end, close } = await open('free-plan')
    await expect(mock.expectFinding('baned' as ExpectableFinding)).rejects.toMatchObject({
      code: 'invalid_command',
      message: expect.stringContaining('did you mean banned?'),
    })
    await end()
    await close()
  })
})

test('an expectation of a sandbox hides no finding of another', async () => {
  const mock = createPetMock({ scenario: strict })
  const [one, other] = [mock.sandbox('one'), mock.sandbox('other')]
  await one.expectFinding('banned')
  for (const { key } of [one, one, other, other])
    await mock.fetch(`${mock.url}/pets`, { headers: { Authorization: `Bearer ${key}` } })
  expect((await other.conduct()).findings).toContainEqual(
    expect.not.objectContaining({ id: 'banned', expected: true }),
  )
  expect((await other.conduct()).findings.some(({ id }) => id === 'banned')).toBe(true)
  await one.delete()
})

test('closing the server checks the sandboxes that were not deleted', async () => {
  const server = await startPetMock()
  await server.sandbox('one').expectFinding('banned')
  await expect(server.close()).rejects.toMatchObject(missing)
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
})

test('a sandbox that another client restarted is not taken for well', async () => {
  const mock = createPetMock({ scenario: strict })
  await mock.expectFinding('banned')
  await mock
    .sandbox('default')
    .reset()
    .catch(() => {})
  await mock.expectFinding('banned')
  const other = mock.sandbox('default')
  await other.keys.list()
  await expect(mock.close()).rejects.toMatchObject(missing)
})

test('await using rejects, too', async () => {
  const run = async () => {
    await using mock = createPetMock()
    await mock.expectFinding('banned')
  }
  await expect(run()).rejects.toMatchObject(missing)
})
