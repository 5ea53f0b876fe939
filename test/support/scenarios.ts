import { formatComplaint } from '../../src/control/files/complaint.ts'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../src/control/scenario/file.ts'
import { readScenario } from '../../src/control/scenario/read/read.ts'
import { settle } from '../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../src/control/scenario/shipped.ts'
import type { Scenario } from '../../src/emulator/worlds/scenario.ts'

/** The instant at which the clock of most tests stands: 12:00:00.250 UTC, so that whole seconds are not a coincidence. */
export const noon = Date.UTC(2026, 2, 2, 12, 0, 0, 250)

/** A scenario on a clock frozen at noon. */
export function scenarioOf(file: ScenarioFile, fixtures = shippedFixtures): Scenario {
  return settle('test', { clock: { at: '2026-03-02T12:00:00.250Z', frozen: true }, ...file }, fixtures)
}

/** The scenario of a file's text, on a clock frozen at noon. */
export async function readScenarioText(text: string): Promise<Scenario> {
  const readText = async () => text
  const reading = await readScenario('f.yaml', {
    readText,
    fixtures: shippedFixtures,
    shipped: shippedScenarios,
  })
  if (!reading.ok) throw new Error(reading.complaints.map(formatComplaint).join('\n'))
  return scenarioOf(reading.value)
}
