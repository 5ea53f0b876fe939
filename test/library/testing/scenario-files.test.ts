import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { createPetMock } from '../../../src/library/testing/create-pet-mock.ts'
import type { PetMockOptions, ScenarioPath } from '../../../src/library/testing/pet-mock.ts'
import { startPetMock } from '../../../src/library/testing/start-pet-mock.ts'
import { emptyFolder } from '../../support/package.ts'

const folder = emptyFolder('scenario-files')
mkdirSync(folder.path, { recursive: true })
const write = (name: string, text: string): ScenarioPath => {
  writeFileSync(join(folder.path, name), text)
  return join(folder.path, name) as ScenarioPath
}
const base = write('base.yaml', 'pets: { count: 2 }\n')
const mine = write(
  'mine.yaml',
  'title: Mine\nextends: ./base.yaml\nkeys: { demo-free: { used: { minute: 10 } } }\n',
)
const mistaken = write('mistaken.yaml', 'title: Mistaken\npets: { cuont: 2 }\n')

afterAll(folder.remove)

it.each([mine, pathToFileURL(`${mine}`)])('a server starts from %s, with what it extends', async scenario => {
  await using mock = await startPetMock({ scenario })
  expect(await mock.scenario.get()).toMatchObject({ name: mine, title: 'Mine' })
  expect(await mock.pets.list()).toHaveLength(2)
  expect(await mock.keys.get('demo-free')).toMatchObject({ remaining: { minute: 50 } })
})

it('a mock takes one later, also one in process', async () => {
  const mock = createPetMock()
  expect(await mock.scenario.use(base)).toMatchObject({ name: base })
  expect(await mock.pets.list()).toHaveLength(2)
})

it.each([
  [mistaken, /mistaken\.yaml:2:9: pets\.cuont: unknown field; did you mean count\?/],
  ['./nowhere.yaml', /^scenario: there is no file .*nowhere\.yaml/],
] as const)('tells what is wrong with %s', async (scenario, message) => {
  const complaint = { code: 'invalid_scenario', message: expect.stringMatching(message) }
  await expect(startPetMock({ scenario })).rejects.toMatchObject(complaint)
  await expect(createPetMock().scenario.use(scenario)).rejects.toMatchObject(complaint)
})

it('createPetMock reads no files, and says so', () => {
  const options = { scenario: './mine.yaml' } as unknown as PetMockOptions
  expect(() => createPetMock(options)).toThrow('cannot read. Use "await startPetMock"')
})
