import { env } from 'node:process'
import { connectPetMock } from '../testing/connect-pet-mock.ts'
import type { PetMock, ScenarioChoice, ScenarioPath } from '../testing/pet-mock.ts'
import { startPetMock } from '../testing/start-pet-mock.ts'

/** The scenario that a suite starts with: the twin of the command's flag. */
function suiteScenario(): { readonly scenario?: ScenarioChoice | ScenarioPath } {
  const { PET_MOCK_SCENARIO: scenario } = env
  // What names no scenario is told by startPetMock.
  return scenario === undefined ? {} : { scenario: scenario as ScenarioChoice }
}

/** Whether a server was started for the suite, by `pet-mock exec` or by the global setup. */
export function isServed(): boolean {
  return env.PET_MOCK_URL !== undefined
}

/** The server of the suite, or, where there is none, one of this worker's own. */
export function openTestServer(): Promise<PetMock> {
  return isServed() ? connectPetMock() : startPetMock(suiteScenario())
}

/** Starts the server of the suite, and tells the workers of it by their environment. */
export async function startTestServer(): Promise<PetMock> {
  const mock = await startPetMock(suiteScenario())
  env.PET_MOCK_URL = mock.url
  env.PET_MOCK_KEY = mock.key
  env.PET_MOCK_ADMIN = new URL('/__admin', mock.url).href
  return mock
}

/** The sandbox of one run of a test: its name tells of the test, and is nobody else's. */
export async function openTestSandbox(
  server: PetMock,
  title: string,
  scenario: ScenarioChoice | ScenarioPath | undefined,
): Promise<PetMock> {
  const sandbox = server.sandbox(nameOf(title))
  if (scenario !== undefined) await sandbox.scenario.set(scenario)
  return sandbox
}

function nameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${words.slice(0, 40)}-${crypto.randomUUID().slice(0, 13)}`
}
