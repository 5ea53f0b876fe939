import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import type { RequestView } from '../client/ask-plane.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import { connectPetMock } from '../testing/connect-pet-mock.ts'
import type { PetMock, PetMockSandbox, ScenarioChoice, ScenarioPath } from '../testing/pet-mock.ts'
import { type StartPetMockOptions, startPetMock } from '../testing/start-pet-mock.ts'

export interface SandboxFixtures {
  /** A sandbox for this test alone, with its own pets, counts, bans, clock and journal. */
  readonly petMock: PetMockSandbox
  /** The scenario of the sandbox: a name, an object or the path of a file. Default: the server's scenario. */
  readonly petMockScenario: ScenarioChoice | ScenarioPath | undefined
}

/** Whether the suite has a server, from `pet-mock exec` or the global setup. */
export function isServed(): boolean {
  return env.PET_MOCK_URL !== undefined
}

/** Starts a server with the scenario of PET_MOCK_SCENARIO. An error about it names the variable. */
export async function startFromEnvironment(options?: Pick<StartPetMockOptions, 'unref'>): Promise<PetMock> {
  const { PET_MOCK_SCENARIO: scenario, PET_MOCK_PROFILE: profile, PET_MOCK_REQUIRE: require } = env
  const allowAssumed = env.PET_MOCK_ALLOW_ASSUMED?.split(/[,\n]/).map(path => path.trim())
  const given = {
    // For the tests that fail.
    box: true,
    ...options,
    ...(profile && { profile }),
    ...(require && { require: require as 'observed' }),
    ...(allowAssumed && { allowAssumed }),
  }
  if (scenario === undefined) return startPetMock(given)
  try {
    return await startPetMock({ ...given, scenario: scenario as ScenarioChoice })
  } catch (error) {
    if (!(error instanceof PetMockError && error.code === 'invalid_scenario')) throw error
    const message = `PET_MOCK_SCENARIO: ${error.message.replace(/^scenario: /, '')}`
    throw new PetMockError(error.code, message, { cause: error })
  }
}

/** Passes the suite's server to `use`, or a server for this worker. */
export async function useServer(use: (server: PetMock) => Promise<void>): Promise<void> {
  const server = await (isServed() ? connectPetMock() : startFromEnvironment())
  await use(server)
  const { findings = [] } = isServed() || !env.PET_MOCK_REQUIRE ? {} : await server.assumed()
  await server.close()
  if (findings.length > 0)
    throw new PetMockError(
      'assumed_settings',
      findings.map(({ title, remedy }) => `${title} ${remedy}`).join('\n'),
    )
}

/** Passes a new sandbox to `use`. If the test fails, prints its requests and keeps its box. */
export async function useSandbox(
  server: PetMock,
  scenario: SandboxFixtures['petMockScenario'],
  title: string,
  hasFailed: () => boolean,
  use: (sandbox: PetMockSandbox) => Promise<void>,
  keep: (box: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  const sandbox = server.sandbox(`${nameOf(title)}-${randomUUID().slice(0, 13)}`)
  if (scenario !== undefined) await sandbox.scenario.use(scenario)
  await use(sandbox)
  const failed = hasFailed()
  // The server may run with --journal 0, and without --box. The test's own failure must not be lost for that.
  const explain = (what: string) => (error: unknown) =>
    `pet-mock: ${what} (${error instanceof Error ? error.message : error})`
  if (failed) {
    console.error(
      await formatJournal(sandbox, title).catch(explain('the requests of this test are not known')),
    )
    await sandbox
      .box()
      .then(keep)
      .catch(error => console.error(explain('this test has no box')(error)))
  }
  // A test that failed earlier may not have come as far as an expected finding.
  await sandbox.delete().catch(error => {
    if (!failed || !(error instanceof PetMockError && error.code === 'finding_missing')) throw error
  })
}

/** At most 40 letters, digits and dashes. */
export function nameOf(title: string): string {
  const words = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return words.replace(/^-|-$/g, '').slice(0, 40)
}

const maxShown = 20

/** Formats the requests of a failed test: a line each, newest last, with the reasons of refusals and faults. */
async function formatJournal({ requests }: Pick<PetMock, 'requests'>, title: string): Promise<string> {
  const [count, found] = await Promise.all([requests.count(), requests.list({ limit: maxShown })])
  if (count === 0)
    return `pet-mock: "${title}" sent no request with its own key. Make its client send petMock.key as the API key.`
  const left = count > maxShown ? `, the last ${maxShown}` : ''
  const lines = await Promise.all(found.map(request => formatRequest(request, requests)))
  return `pet-mock: requests of "${title}" (${count} request${count === 1 ? '' : 's'}${left}):\n${lines.flat().join('\n')}`
}

async function formatRequest(request: RequestView, { explain }: PetMock['requests']) {
  const { id, method, target, status, code, delayMs, fault, limit } = request
  const details = [
    code,
    fault === null ? null : `fault ${fault}`,
    delayMs === null ? null : `after ${delayMs} ms`,
    limit === null ? null : `${limit[limit.reported].remaining} left`,
  ]
  const line = [`  #${id}`, method, target, '->', status, ...details.filter(part => part !== null)].join(' ')
  if (code === null && fault === null) return [line]
  const { explanation } = await explain(id)
  // The first sentence repeats the line.
  return [line, ...explanation.sentences.slice(1).map(sentence => `       ${sentence}`)]
}
