import { anyText, shownTexts } from '../../../base/text/constraint.ts'
import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import { type ChosenShape, either, field, required, type TaggedShape } from '../../fields/field.ts'
import { type Commands, changeCommands, tagged } from './change-commands.ts'
import { snapshot } from './snapshot.ts'

/* Commands: every change to a running emulator. Walkthroughs, the admin plane and programs send these and nothing else. */

const worldCommands = (scenario: ChosenShape): Commands => ({
  useScenario: [
    'Switches to another scenario and restarts.',
    {
      scenario: required(
        either('the name of a shipped scenario, or a map of fields', anyText, scenario),
        'The name of a shipped scenario, or a scenario as in a file.',
        ['after-removal', { extends: 'ban', seed: 7 }],
      ),
      name: field(shownTexts, 'The name of a scenario that is sent as a map.', ['my-scenario']),
    },
  ],
  reset: ['Restarts the scenario.'],
  loadSnapshot: [
    'Restores a snapshot completely.',
    { snapshot: required(snapshot, 'An unchanged snapshot.', [{ version: 1 }]) },
  ],
  clearRequests: ['Empties the journal.'],
  createSandbox: [
    'Creates a sandbox; does nothing if it exists.',
    { name: required(sandboxNames, 'The name of the sandbox.', ['worker-3']) },
  ],
  deleteSandbox: ['Deletes a sandbox. The default one restarts.'],
})

/** `scenario`: a whole scenario, whose walkthrough may hold commands in turn. */
export function commandsOf(scenario: ChosenShape): TaggedShape {
  return tagged({ ...changeCommands, ...worldCommands(scenario) })
}
