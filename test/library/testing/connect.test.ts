import { afterEach, expect, it, vi } from 'vitest'
import { connectPetMock } from '../../../src/library/testing/connect-pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('finds by its environment what "pet-mock exec" has started', async () => {
  await using elsewhere = await startPetMock({ scenario: 'ban' })
  vi.stubEnv('PET_MOCK_URL', elsewhere.url)
  vi.stubEnv('PET_MOCK_ADMIN', elsewhere.url.replace('/v1', '/__admin'))
  vi.stubEnv('PET_MOCK_KEY', 'demo-pro')
  const mock = await connectPetMock()
  expect([mock.url, mock.key]).toEqual([elsewhere.url, 'demo-pro'])
  await mock.close()
  expect(await mock.scenario.get()).toMatchObject({ name: 'ban' })
})

it('says so without an address', async () => {
  await expect(connectPetMock()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining(
      'Give the base URL of pet-mock, such as http://127.0.0.1:7387/v1, or run this below "pet-mock exec',
    ),
  })
})

it('names the variable with the scenario of a suite', async () => {
  const { startFromEnvironment } = await import('../../../src/library/runners/test-server.ts')
  for (const [scenario, problem] of [
    ['outag', 'no shipped scenario is named "outag"; did you mean outage?'],
    ['nowhere.yaml', 'there is no file nowhere.yaml'],
  ] as const) {
    vi.stubEnv('PET_MOCK_SCENARIO', scenario)
    await expect(startFromEnvironment()).rejects.toMatchObject({
      code: 'invalid_scenario',
      message: expect.stringContaining(`PET_MOCK_SCENARIO: ${problem}`),
    })
  }
})

it('rejects when no server answers, at the start or later', async () => {
  const elsewhere = await startPetMock()
  const mock = await connectPetMock({ url: elsewhere.url })
  await elsewhere.close()
  const unreachable = {
    code: 'unreachable',
    message: expect.stringMatching(/No pet-mock answers at .*\/__admin/),
  }
  await expect(mock.pets.list()).rejects.toMatchObject(unreachable)
  await expect(connectPetMock({ url: elsewhere.url })).rejects.toMatchObject(unreachable)
})
