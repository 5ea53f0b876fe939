import type { JsonValue } from '../../base/json/value.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import { createEventRunner } from '../../control/change/run-event.ts'
import { check } from '../../control/fields/check.ts'
import { inOrder } from '../../control/fields/in-order.ts'
import { documentOf } from '../../control/files/document.ts'
import { about, showValue, unknownName } from '../../control/files/show.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import { assumedSettings } from '../../control/profile/assumed.ts'
import { checkProfile } from '../../control/profile/file.ts'
import { checkScenarioDoors } from '../../control/scenario/checks/doors.ts'
import { wholeScenario } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { scenario as fields } from '../../control/scenario/settings/scenario.ts'
import { settle, settleChecked } from '../../control/scenario/settle/settle.ts'
import { extendShipped, shippedScenarios } from '../../control/scenario/shipped.ts'
import { version } from '../../doors/server/version.ts'
import { createEmulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import type { InputListener } from '../../emulator/worlds/sandboxes.ts'
import type { Profile, Scenario } from '../../emulator/worlds/scenario.ts'
import { type AssumedWatch, watchAssumed } from '../../judges/assumed/watch-assumed.ts'
import type { Door } from '../../service/call/fault.ts'
import { createSecrets } from '../../service/keys/mask.ts'
import { PetMockError } from '../client/pet-mock-error.ts'
import type { PetMockOptions, ScenarioChoice } from './pet-mock.ts'
import { isPath, keyInProcess, unnamed } from './scenario-keys.ts'

/** Calls that wait until a box is loaded. With more of them, the box begins when it is loaded. */
const mostEarly = 10_000

/** Starts the emulator of a scenario. It prints defects to the console (A20). `record` begins a box. */
export function startEmulator(
  scenario: Scenario,
  mask: readonly string[] | undefined,
  door: Door,
  options?: Pick<EmulatorOptions, 'allowedHosts' | 'contract' | 'pass'>,
) {
  const whole: EmulatorOptions = {
    ...options,
    scenario,
    secrets: createSecrets(mask),
    startedAt: Date.now(),
    steady: () => performance.now(),
    runEvent: createEventRunner(door),
    onError: reportDefect,
  }
  const emulator = createEmulator(whole)
  const served = { door, version, ...(options?.allowedHosts && { allowedHosts: options.allowedHosts }) }
  /**
   * Records a run, with the calls that are made while what records them is loaded: pages without a box do not load it. Changes
   * must wait, and so does the box for `first`.
   */
  const record = async (first?: Promise<unknown>) => {
    const early: Parameters<InputListener['answered']>[] = []
    emulator.sandboxes.listener = { answered: (...call) => void early.push(call) }
    const { keepBox } = await import('../../judges/box/keep-box.ts')
    await first
    const isWhole = early.length > 0 && early.length <= mostEarly
    // An emulator as this one began.
    const box = keepBox(emulator, served, isWhole ? createEmulator(whole).sandboxes : undefined)
    if (isWhole) for (const call of early) emulator.sandboxes.listener?.answered(...call)
    return box
  }
  return { emulator, record, keyOf: keyInProcess(emulator.sandboxes) }
}

/** Settles the chosen scenario. Throws a PetMockError that lists every mistake. */
export function settleChoice(choice: ScenarioChoice, door: Door, profile?: Profile): Scenario {
  if (typeof choice !== 'string') return settleFile(unnamed, choice, door, profile)
  const file = shippedScenarios.get(choice)
  // Shipped scenarios are checked when they are generated.
  if (file !== undefined) return settleChecked(choice, file, shippedFixtures, { profile })
  const names = [...shippedScenarios.keys()]
  const hint = suggest(choice, names) || `; known are ${names.join(', ')}`
  const problem = isPath(choice)
    ? `${showValue(choice)} is a file, which the synchronous createPetMock cannot read. Use "await startPetMock", or write the scenario as an object.`
    : `no shipped scenario is named ${showValue(choice)}${hint}`
  throw new PetMockError('invalid_scenario', `scenario: ${problem}`)
}

/** `door`: refuses rules that it cannot show. */
export function settleFile(name: string, file: ScenarioFile, door: Door, profile?: Profile): Scenario {
  // Check before merging, which needs maps.
  const found = check(fields, file)
  // Pages load this, so it does not check the valid fields of a wrong scenario as the admin plane does.
  const base = found.length === 0 ? {} : wholeScenario({ extends: file?.extends }, shippedScenarios)
  const all = inOrder(file, 'message' in base ? [...found, base] : found)
  const wrong = all.map(({ path, message }) => about(path, message))
  if (wrong.length > 0) throw new PetMockError('invalid_scenario', `scenario: ${wrong.join('; ')}`)
  const { walkthrough: _notPlayed, ...settings } = file
  let scenario: Scenario
  try {
    scenario = settle(name, extendShipped(settings), shippedFixtures, profile)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new PetMockError('invalid_scenario', error.message)
  }
  const hidden = checkScenarioDoors(scenario, door).map(({ path, message }) => about(path, message))
  if (hidden.length > 0) throw new PetMockError('invalid_scenario', `scenario: ${hidden.join('; ')}`)
  return scenario
}

/** A profile as the object that its file holds. */
export function readProfileObject(given: object): Profile {
  const reading = checkProfile(documentOf(given as JsonValue))
  if (reading.ok) return reading.value
  const problems = reading.complaints.map(({ message }) => message)
  throw new PetMockError('invalid_profile', `profile: ${problems.join('; ')}`)
}

/** Watches on what responses rest, if the options ask for it. */
export function watchRequired(
  options: Pick<PetMockOptions, 'require' | 'allowAssumed'> & { readonly profile?: unknown },
): AssumedWatch | undefined {
  const { require, allowAssumed: allowed = [], profile } = options
  if (require === undefined) return undefined
  const known = assumedSettings.map(({ path }) => path)
  const unknown = allowed.find(path => !known.includes(path))
  const problem =
    profile === undefined
      ? 'require: there is no profile: add the option profile'
      : unknown && `allowAssumed: ${unknownName('setting', unknown, known)}`
  if (problem !== undefined) throw new PetMockError('invalid_parameter', problem)
  return watchAssumed({ require, allowed, fixtures: shippedFixtures })
}

/** Prints a defect of pet-mock (A20) to stderr, or to a browser's console. */
export function reportDefect(error: unknown): void {
  console.error('pet-mock failed:', error)
}
