import { createEmulator, type Emulator, type EmulatorOptions } from '../emulator/emulator.ts'
import type { Scenario } from '../emulator/scenario.ts'
import { suggest } from '../files/did-you-mean.ts'
import { showValue } from '../files/show.ts'
import { shippedFixtures } from '../fixtures/fixtures.ts'
import { settle } from '../scenario/settle.ts'
import { extendShipped, shippedScenarios } from '../scenario/shipped.ts'
import type { PetMock, PetMockOptions } from './pet-mock.ts'

export interface Beginning {
  readonly emulator: Emulator
  /** What a program holds, once it is known where the emulator is reached and how it is closed. */
  readonly petMock: (url: string, close: () => Promise<void>) => PetMock
}

/** Makes the emulator that the options ask for; it starts now, and tells of defects on stderr (A20). */
export function begin(
  { scenario: chosen = 'free-plan' }: PetMockOptions,
  options?: Pick<EmulatorOptions, 'allowedHosts'>,
): Beginning {
  const scenario = settleChoice(chosen)
  const emulator = createEmulator({ ...options, scenario, startedAt: Date.now(), onError: tellFailure })
  const keys = Object.fromEntries([...scenario.keys].map(([key, { plan }]) => [key, plan]))
  const petMock: Beginning['petMock'] = (url, close) => ({
    url,
    key: scenario.key,
    keys,
    close,
    [Symbol.asyncDispose]: close,
  })
  return { emulator, petMock }
}

function settleChoice(scenario: NonNullable<PetMockOptions['scenario']>): Scenario {
  if (typeof scenario !== 'string') return settle('custom', extendShipped(scenario), shippedFixtures)
  const file = shippedScenarios.get(scenario)
  if (file !== undefined) return settle(scenario, file, shippedFixtures)
  const names = [...shippedScenarios.keys()]
  const hint = suggest(scenario, names) || `; known are ${names.join(', ')}`
  throw new Error(`scenario: no shipped scenario is named ${showValue(scenario)}${hint}`)
}

export function tellFailure(error: unknown): void {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`pet-mock failed: ${what}\n`)
}
