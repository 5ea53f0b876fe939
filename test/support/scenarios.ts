import type { Scenario } from '../../src/emulator/scenario.ts'
import { shippedFixtures } from '../../src/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../src/scenario/file.ts'
import { settle } from '../../src/scenario/settle.ts'

/** The instant at which the clock of most tests stands: 12:00:00.250 UTC, so that whole seconds are not a coincidence. */
export const noon = Date.UTC(2026, 2, 2, 12, 0, 0, 250)

/** A scenario on a clock frozen at noon. */
export function scenarioOf(file: ScenarioFile): Scenario {
  return settle('test', { clock: { at: '2026-03-02T12:00:00.250Z', frozen: true }, ...file }, shippedFixtures)
}
