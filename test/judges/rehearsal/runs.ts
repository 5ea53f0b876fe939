import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createRunLog, type RunFacts } from '../../../src/judges/rehearsal/run-log.ts'
import { fly, type Pilot, watchConduct } from '../../support/flights.ts'

/** The facts of a client's calls in a scenario. */
export function factsOf(scenario: ScenarioFile, flight: (pilot: Pilot) => unknown): RunFacts {
  let facts: RunFacts | undefined
  fly(scenario, pilot => {
    const { sandboxes } = pilot.emulator
    const log = createRunLog(name => sandboxes.get(name))
    const report = watchConduct(pilot.emulator, log)
    flight(pilot)
    facts = log.facts(pilot.now(), report())
  })
  if (facts === undefined) throw new Error('It did not fly.')
  return facts
}
