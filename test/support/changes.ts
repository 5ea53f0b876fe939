import type { Outcome } from '../../src/control/change/change.ts'
import type { Command } from '../../src/control/change/command.ts'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import type { RuleFields, ScenarioFile } from '../../src/control/scenario/file.ts'
import { createChange } from '../../src/control/scenario/settle/scenario-commands.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'

/** Does commands to an emulator, at the door's time `now` if it is given. */
export function changing({ sandboxes }: Emulator) {
  const change = createChange(sandboxes, shippedFixtures)
  return (command: Command<ScenarioFile, RuleFields>, sandbox?: string, now = Date.now()): Outcome =>
    change(sandbox, command, now)
}
