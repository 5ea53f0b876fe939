import { anyText, shownTexts } from '../../../base/text/constraint.ts'
import { sandboxNames } from '../../../emulator/worlds/constraints.ts'
import { type ChosenShape, either, field, required } from '../../fields/field.ts'
import { type JsonSchema, jsonSchema } from '../../fields/json-schema.ts'
import { type Commands, changeCommands, tagged } from './events.ts'
import { rehearsal } from './rehearsal.ts'
import { scenarioOf } from './scenario.ts'
import { snapshot } from './snapshot.ts'
import { walkthroughOf } from './walkthrough.ts'

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

/** A scenario within a command: its walkthrough may hold commands with scenarios in turn. */
const inner: ChosenShape = { type: 'chosen', choose: () => scenarioFile }

export const command = tagged({ ...changeCommands, ...worldCommands(inner) })

/** A scenario in a file or in a command, with the steps of its walkthrough. */
export const scenarioFile = scenarioOf(walkthroughOf(command), rehearsal)

export function scenarioJsonSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    // Draft 7 is what editors know best. The id is a name, not an address: docs/decisions/0061-ids-of-schemas.md.
    $id: 'urn:pet-mock:scenario',
    title: 'A scenario of pet-mock',
    description: 'A situation of the Pet Adoption Service. It lists what differs from the default.',
    ...jsonSchema(scenarioFile, '#'),
  }
}
