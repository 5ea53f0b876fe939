import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectPetMock } from '../../../src/library/testing/connect-pet-mock.ts'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import type { PetMock, ScenarioPath } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { emptyFolder } from '../../support/package.ts'
import { ways } from '../../support/pet-mocks.ts'

/* `key` and `keys` are those of the running scenario, after each change of it. */
const folder = emptyFolder('scenario-key')
mkdirSync(folder.path, { recursive: true })
const nearly = join(folder.path, 'nearly.yaml') as ScenarioPath
writeFileSync(nearly, 'keys: { my-app: { plan: free, used: { minute: 59 } } }\nkey: my-app\n')
const zed = { keys: { 'demo-free': null, zed: { plan: 'pro' } }, key: 'zed' } as const

afterAll(folder.remove)
afterEach(() => {
  vi.unstubAllEnvs()
})

describe.each(ways)('%s', (_name, way) => {
  it('the key follows the scenario', async () => {
    const { mock, list, close } = await way('free-plan')
    onTestFinished(close)
    const suffix = mock.key.slice('demo-free'.length)
    await mock.scenario.use(nearly)
    expect(mock.key).toBe(`my-app${suffix}`)
    expect([(await list()).status, (await list()).status]).toEqual([200, 429])
    await mock.scenario.use(zed)
    expect(mock.key).toBe(`zed${suffix}`)
    expect((await list()).status).toBe(200)
    const withZed = await mock.snapshot.save()
    await mock.scenario.use('ban')
    expect(mock.key).toBe(`demo-free${suffix}`)
    await mock.snapshot.load(withZed)
    expect([mock.key, (await list()).status]).toEqual([`zed${suffix}`, 200])
  })
})

async function followInSandboxes(server: PetMock): Promise<void> {
  const [used, own, fresh] = [server.sandbox('used'), server.sandbox('own'), server.sandbox('fresh')]
  await used.pets.list()
  await own.scenario.use(nearly)
  await server.scenario.use(zed)
  expect([server.key, used.key, own.key, fresh.key]).toEqual([
    'zed',
    'demo-free+used',
    'my-app+own',
    'zed+fresh',
  ])
  await own.delete()
  expect(own.key).toBe('zed+own')
}

it('a sandbox that exists keeps its scenario, and a new one starts from the new scenario', async () => {
  await followInSandboxes(createPetMock())
  await using elsewhere = await startPetMock()
  await followInSandboxes(await connectPetMock({ url: elsewhere.url }))
})

it('PET_MOCK_KEY holds until a scenario is set, the option `key` always', async () => {
  await using elsewhere = await startPetMock()
  vi.stubEnv('PET_MOCK_URL', elsewhere.url)
  vi.stubEnv('PET_MOCK_KEY', 'demo-pro')
  const [handed, chosen] = [await connectPetMock(), await connectPetMock({ key: 'demo-enterprise' })]
  const worker = handed.sandbox('worker')
  expect([handed.key, worker.key, chosen.key]).toEqual(['demo-pro', 'demo-pro+worker', 'demo-enterprise'])
  await worker.scenario.use(nearly)
  await chosen.scenario.use(nearly)
  expect([handed.key, worker.key, chosen.key]).toEqual(['demo-pro', 'my-app+worker', 'demo-enterprise'])
})
