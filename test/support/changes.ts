import type { Outcome } from '../../src/change/change.ts'
import type { Command } from '../../src/change/command.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { shippedFixtures } from '../../src/fixtures/fixtures.ts'
import { createChange } from '../../src/scenario/commands.ts'
import type { RuleFields, ScenarioFile } from '../../src/scenario/file.ts'

/** Does commands to an emulator, at the door's time `now` if it is given. */
export function changing({ sandboxes }: Emulator) {
  const change = createChange(sandboxes, shippedFixtures)
  return (command: Command<ScenarioFile, RuleFields>, sandbox?: string, now = Date.now()): Outcome =>
    change(sandbox, command, now)
}
