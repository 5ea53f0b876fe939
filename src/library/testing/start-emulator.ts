import { suggest } from '../../base/text/did-you-mean.ts'
import { check } from '../../control/fields/check.ts'
import { about, showValue } from '../../control/files/show.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { scenario } from '../../control/scenario/settings/scenario.ts'
import { settle } from '../../control/scenario/settle/settle.ts'
import { extendShipped, shippedScenarios } from '../../control/scenario/shipped.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { ScenarioChoice } from './pet-mock.ts'
import { reportDefect } from './report-defect.ts'
import { isPath, unnamed } from './scenario-choice.ts'

export interface StartedEmulator {
  readonly emulator: Emulator
  readonly facts: { readonly key: string; readonly keys: Readonly<Record<string, string>> }
}

/** Starts the emulator of a scenario. It prints defects to the console (A20). */
export function startEmulator(
  scenario: Scenario,
  options?: Pick<EmulatorOptions, 'allowedHosts'>,
): StartedEmulator {
  const emulator = createEmulator({ ...options, scenario, startedAt: Date.now(), onError: reportDefect })
  const keys = Object.fromEntries([...scenario.keys].map(([key, { plan }]) => [key, plan]))
  return { emulator, facts: { key: scenario.key, keys } }
}

/** Settles the chosen scenario. Throws a PetMockError that lists every mistake. */
export function settleChoice(choice: ScenarioChoice): Scenario {
  if (typeof choice !== 'string') return settleFile(unnamed, choice)
  const file = shippedScenarios.get(choice)
  if (file !== undefined) return settle(choice, file, shippedFixtures)
  if (isPath(choice)) {
    throw new PetMockError(
      'invalid_scenario',
      `scenario: ${showValue(choice)} is a file, which the synchronous createPetMock cannot read. Use "await startPetMock", or write the scenario as an object.`,
    )
  }
  const names = [...shippedScenarios.keys()]
  const hint = suggest(choice, names) || `; known are ${names.join(', ')}`
  throw new PetMockError(
    'invalid_scenario',
    `scenario: no shipped scenario is named ${showValue(choice)}${hint}`,
  )
}

export function settleFile(name: string, file: ScenarioFile): Scenario {
  // Check before merging, which needs maps.
  const wrong = check(scenario, file).map(({ path, message }) => about(path, message))
  if (wrong.length > 0) throw new PetMockError('invalid_scenario', `scenario: ${wrong.join('; ')}`)
  try {
    return settle(name, extendShipped(file), shippedFixtures)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new PetMockError('invalid_scenario', error.message, { cause: error })
  }
}
