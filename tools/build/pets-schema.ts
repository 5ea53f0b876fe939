import { jsonSchema } from '../../src/control/fields/json-schema.ts'
import { fixtureShapes } from '../../src/control/fixtures/shapes.ts'

/** The JSON Schema of the pets.yaml of a fixtures folder: a list, or a map whose pets keep other fields or do not. */
export function petsJsonSchema(): object {
  const forms = [[], { extra: true }, {}]
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:pet-mock:pets',
    title: 'The pets of a fixtures folder of pet-mock',
    anyOf: forms.map(form => jsonSchema(fixtureShapes.pets.choose(form), '#')),
  }
}
