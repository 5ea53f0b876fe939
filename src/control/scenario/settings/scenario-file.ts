import type { ChosenShape } from '../../fields/field.ts'
import { type JsonSchema, jsonSchema } from '../../fields/json-schema.ts'
import { commandsOf } from './commands.ts'
import { rehearsal } from './rehearsal.ts'
import { scenarioOf } from './scenario.ts'
import { walkthroughOf } from './walkthrough.ts'

/** A scenario within a command: its walkthrough may hold commands with scenarios in turn. */
const inner: ChosenShape = { type: 'chosen', choose: () => scenarioFile }

export const command = commandsOf(inner)

/** A scenario in a file or in a command, with the steps of its walkthrough. */
export const scenarioFile = scenarioOf(walkthroughOf(command), rehearsal)

export function scenarioJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    // A name, not an address: docs/decisions/0061-ids-of-schemas.md.
    $id: 'urn:pet-mock:scenario',
    title: 'A scenario of pet-mock',
    description: 'A situation of the Pet Adoption Service. It lists what differs from the default.',
    ...jsonSchema(scenarioFile, '#'),
  }
}
