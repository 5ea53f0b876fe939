import { isJsonObject } from '../src/base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../src/base/json/value.ts'
import { writeJson } from '../src/base/json/write.ts'

interface Example {
  readonly status: number
  readonly body: string
}

/** The named examples of the contract's responses, by operation and name. */
export function contractExamples(document: JsonObject): Readonly<Record<string, Record<string, Example>>> {
  const operations = Object.values(objectOf(document.paths)).flatMap(path => Object.values(objectOf(path)))
  return Object.fromEntries(
    operations.map(objectOf).map(({ operationId, responses }) => {
      const found = Object.entries(objectOf(responses)).flatMap(([status, response]) =>
        examplesOf(document, status, objectOf(response)),
      )
      const names = found.map(([name]) => name)
      if (new Set(names).size < names.length)
        throw new Error(`Examples of ${operationId} share a name: ${names}`)
      return [`${operationId}`, Object.fromEntries(found)]
    }),
  )
}

function examplesOf(document: JsonObject, status: string, response: JsonObject): [string, Example][] {
  const shared = /^#\/components\/responses\/(\w+)$/.exec(`${response.$ref}`)?.[1]
  if (shared !== undefined)
    return examplesOf(document, status, objectOf(objectOf(objectOf(document.components).responses)[shared]))
  const content = objectOf(objectOf(response.content)['application/json'])
  return Object.entries(objectOf(content.examples)).map(([name, example]) => {
    const { value = null } = objectOf(example)
    // The default response has errors of several statuses, which their bodies name.
    const own = status === 'default' ? objectOf(value).status : status
    return [name, { status: Number(own), body: writeJson(value) }]
  })
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
