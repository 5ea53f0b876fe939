import { type ChangeOutcome, createChange } from '../../src/control/change/change.ts'
import { refuseCommand } from '../../src/control/change/intent.ts'
import { check } from '../../src/control/fields/check.ts'
import { about } from '../../src/control/files/show.ts'
import { shippedFixtures } from '../../src/control/fixtures/fixtures.ts'
import type { Command } from '../../src/control/scenario/file.ts'
import { command as declared } from '../../src/control/scenario/settings/scenario-file.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'

/** Sends commands to an emulator as doors do: checked by their declaration. `now` is the time of the door. */
export function changing({ sandboxes }: Emulator) {
  const change = createChange(sandboxes, shippedFixtures)
  return (command: Command, sandbox?: string, now = Date.now()): ChangeOutcome => {
    const problems = check(declared, command).map(({ path, message }) => about(path, message))
    return problems.length > 0 ? { ok: false, ...refuseCommand(...problems) } : change(sandbox, command, now)
  }
}
