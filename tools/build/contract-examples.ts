import type { JsonObject } from '../../src/base/json/value.ts'
import { writeJson } from '../../src/base/json/write.ts'
import { entriesOf, resolve } from './contract-nodes.ts'

interface Example {
  readonly status: number
  readonly body: string
}

/** The named examples of the contract's responses, by operation and name. */
export function contractExamples(contract: JsonObject): Readonly<Record<string, Record<string, Example>>> {
  const operations = entriesOf(contract, contract.paths).flatMap(([, path]) => entriesOf(contract, path))
  return Object.fromEntries(
    operations.map(([, { operationId, responses }]) => {
      const found = entriesOf(contract, responses).flatMap(([status, response]) =>
        examplesOf(contract, status, response),
      )
      const names = found.map(([name]) => name)
      if (new Set(names).size < names.length)
        throw new Error(`Examples of ${operationId} share a name: ${names}`)
      return [`${operationId}`, Object.fromEntries(found)]
    }),
  )
}

function examplesOf(contract: JsonObject, status: string, response: JsonObject): [string, Example][] {
  const content = resolve(contract, resolve(contract, response.content)['application/json'])
  return entriesOf(contract, content.examples).map(([name, { value = null }]) => {
    // The default response has errors of several statuses, which their bodies name.
    const own = status === 'default' ? resolve(contract, value).status : status
    return [name, { status: Number(own), body: writeJson(value) }]
  })
}
