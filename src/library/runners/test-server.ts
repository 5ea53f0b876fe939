import { env } from 'node:process'
import { connectPetMock } from '../testing/connect-pet-mock.ts'
import type { PetMock, ScenarioChoice, ScenarioPath } from '../testing/pet-mock.ts'
import { startPetMock } from '../testing/start-pet-mock.ts'
import { journalText } from './journal-text.ts'

/** The fixtures of every runner. */
export interface SandboxFixtures {
  /** A sandbox for this test alone, with its own pets, counts, bans, clock and journal. */
  readonly petMock: PetMock
  /** The scenario of the sandbox. Default: the server's scenario. */
  readonly petMockScenario: ScenarioChoice | ScenarioPath | undefined
}

/** Whether the suite has a server, from `pet-mock exec` or the global setup. */
export function isServed(): boolean {
  return env.PET_MOCK_URL !== undefined
}

/** Starts the server of the suite, and puts its addresses into the environment of the workers. */
export async function startTestServer(): Promise<PetMock> {
  const mock = await startFromEnvironment()
  env.PET_MOCK_URL = mock.url
  env.PET_MOCK_KEY = mock.key
  env.PET_MOCK_ADMIN = new URL('/__admin', mock.url).href
  return mock
}

/** Starts a server with the scenario of PET_MOCK_SCENARIO. startPetMock reports an unknown name. */
function startFromEnvironment(): Promise<PetMock> {
  const { PET_MOCK_SCENARIO: scenario } = env
  return startPetMock(scenario === undefined ? {} : { scenario: scenario as ScenarioChoice })
}

/** Passes the suite's server to `use`, or a server for this worker. */
export async function useServer(use: (server: PetMock) => Promise<void>): Promise<void> {
  const server = await (isServed() ? connectPetMock() : startFromEnvironment())
  await use(server)
  await server.close()
}

interface SandboxOptions {
  readonly server: PetMock
  /** The title of the test. */
  readonly title: string
  readonly scenario: ScenarioChoice | ScenarioPath | undefined
  readonly hasFailed: () => boolean
}

/** Passes a new sandbox to `use`. If the test fails, prints its requests. */
export async function useSandbox(
  { server, title, scenario, hasFailed }: SandboxOptions,
  use: (sandbox: PetMock) => Promise<void>,
): Promise<void> {
  const sandbox = server.sandbox(uniqueName(title))
  if (scenario !== undefined) await sandbox.scenario.set(scenario)
  await use(sandbox)
  if (hasFailed()) console.error(await journalText(sandbox, title))
  await sandbox.close()
}

function uniqueName(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${words.slice(0, 40)}-${crypto.randomUUID().slice(0, 13)}`
}
