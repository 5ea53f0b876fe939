import process from 'node:process'

/** What the SDK of MCP takes from Node, without the validator that only a server with elicitation needs. */
export { process }

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('The bundle has no validator of JSON Schema')
  }
}
