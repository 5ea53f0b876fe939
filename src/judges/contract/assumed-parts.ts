import { isJsonObject } from '../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import type { Breach } from '../../emulator/journal/exchange.ts'

/** A response, as far as it decides what is assumed about it. */
interface Seen {
  readonly method: string
  /** The path of its operation: `/pets/{petId}`. */
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

const mark = 'x-assumption'

/**
 * Whether a description only assumes what a breach is about. The mark is `x-assumption` at an operation, at the schema of a
 * body, at a header, or at a header's schema for its format. What a description does not document is assumed, too.
 */
export function isAssumed(document: JsonObject, seen: Seen, { part, place }: Breach): boolean {
  const { method, path, status, headers } = seen
  const at = (node: JsonValue | undefined, name: string) => resolve(document, fieldOf(document, node, name))
  const operation = at(at(document.paths, path), method.toLowerCase())
  // An operation of another file has no marks.
  if (operation === undefined) return path === '' && status >= 400
  if (isMarked(operation)) return true
  const responses = at(operation, 'responses')
  const own = at(responses, `${status}`) ?? at(responses, `${Math.floor(status / 100)}XX`)
  const response = own ?? (status < 400 ? undefined : at(responses, 'default'))
  if (response === undefined) return status >= 400
  if (own === undefined && isMarked(response)) return true
  if (part === 'header') {
    const entries = Object.entries(at(response, 'headers') ?? {})
    const header = resolve(
      document,
      entries.find(([name]) => name.toLowerCase() === place.toLowerCase())?.[1],
    )
    return isMarked(header) || (headers[place.toLowerCase()] !== undefined && isMarked(at(header, 'schema')))
  }
  // A mark next to a $ref holds for this body alone.
  const body = fieldOf(document, at(at(response, 'content'), 'application/json'), 'schema')
  return part !== 'status' && isJsonObject(body) && isMarked(body)
}

function isMarked(node: JsonObject | undefined): boolean {
  return node?.[mark] !== undefined
}

function fieldOf(document: JsonObject, node: JsonValue | undefined, name: string): JsonValue | undefined {
  const inner = resolve(document, node)
  return inner && Object.hasOwn(inner, name) ? inner[name] : undefined
}

/** A node, or the node of the same file that it refers to. */
function resolve(document: JsonObject, node: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(node)) return undefined
  if (typeof node.$ref !== 'string' || !node.$ref.startsWith('#/')) return node
  const steps = node.$ref.slice(2).split('/')
  const names = steps.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<JsonObject | undefined>(
    (at, name) => resolve(document, at && Object.hasOwn(at, name) ? at[name] : undefined),
    document,
  )
}
