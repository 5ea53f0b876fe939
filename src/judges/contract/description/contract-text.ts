import { isJsonArray, isJsonObject, listOf, objectOf } from '../../../base/json/is-object.ts'
import { followRefs } from '../../../base/json/pointer.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { contractDocument } from '../../../generated/contract.ts'
import { pathShape, withoutBase } from '../../../service/operations/routes.ts'

/** What a server adds to the contract: an object for each reading of `--openapi`. */
export interface Added {
  readonly description?: () => Additions
}

/** Writes the contract of a server: its operations, those of `--openapi`, and its own base URL. */
export function createContractText() {
  // A large file takes seconds to write, so only the server's URL is written for each call.
  const kept = new Map<string, Promise<string>>()
  let keptFor: Added | undefined
  return async (form: ContractForm, url: string, added: Added | undefined, isShown = true) => {
    if (added !== keptFor) kept.clear()
    keptFor = added
    const place = `${isShown} ${form.type}`
    const rest = kept.get(place) ?? form.write(restOf(isShown ? added?.description?.() : undefined))
    kept.set(place, rest)
    return form.join(await form.write(atServer(url)), await rest)
  }
}

/** Generators and pages that try calls use the servers of a contract: production must not be one of them. */
function atServer(url: string): JsonObject {
  const { openapi = null } = contractDocument
  return { openapi, servers: [{ url, description: 'This pet-mock server.' }] }
}

/** The contract without what `atServer` says. */
function restOf(added: Additions | undefined): JsonObject {
  const whole = added === undefined ? contractDocument : addOperations(contractDocument, added)
  const { openapi: _openapi, servers: _servers, ...rest } = whole
  return rest
}

interface ContractForm {
  readonly type: string
  readonly write: (document: JsonObject) => Promise<string>
  readonly join: (first: string, second: string) => string
}

export const jsonForm: ContractForm = {
  type: 'application/json',
  write: async document => writeJson(document),
  join: (first, second) => `${first.slice(0, -1)},${second.slice(1)}`,
}

export const yamlForm: ContractForm = {
  // RFC 9512.
  type: 'application/yaml',
  write: async document => {
    const { stringify } = await import('yaml')
    return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
  },
  join: (first, second) => first + second,
}

/** A description, and which of its operations to add: by path below `/v1` and method in lower case. */
interface Additions {
  readonly document: JsonObject
  readonly operations: readonly { readonly path: string; readonly method: string }[]
}

/** A description with operations of another. Components of the other one that have a taken name get a new one. */
export function addOperations(base: JsonObject, { document, operations }: Additions): JsonObject {
  const { components, rename } = mergeComponents(objectOf(base.components), objectOf(document.components))
  const paths: Record<string, JsonValue> = { ...objectOf(base.paths) }
  const byShape = new Map(Object.keys(paths).map(path => [pathShape(path), path]))
  const written = objectOf(document.paths)
  for (const { path, method } of operations) {
    const item = objectOf(written[path])
    const operation = objectOf(item[method])
    const below = withoutBase(path)
    const same = byShape.get(pathShape(below)) ?? below
    byShape.set(pathShape(below), same)
    const target = objectOf(paths[same])
    if (target[method] !== undefined) continue
    const shared = listOf(item.parameters)
    const own = listOf(operation.parameters)
    // Every operation of pet-mock asks for an API key, whatever the file says.
    const { security: _security, servers: _servers, ...rest } = operation
    const parameters = [...shared, ...own].map(parameter =>
      namedAs(followRefs(document, parameter) ?? parameter, below, same),
    )
    const added = rename({ ...rest, ...(parameters.length > 0 && { parameters }) })
    paths[same] = { ...target, [method]: added }
  }
  return {
    ...base,
    ...(document['x-files'] !== undefined && { 'x-files': rename(document['x-files']) }),
    paths,
    components,
  }
}

function mergeComponents(base: JsonObject, added: JsonObject) {
  const names = new Map<string, string>()
  const renamed = Object.entries(added).flatMap(([section, values]) => {
    const taken = objectOf(base[section])
    return Object.entries(objectOf(values)).map(([name, value]) => {
      const isTaken = Object.hasOwn(taken, name) && writeJson(taken[name] ?? null) !== writeJson(value)
      const used = { ...taken, ...objectOf(values) }
      let number = 2
      while (Object.hasOwn(used, `${name}${number}`)) number += 1
      const own = isTaken ? `${name}${number}` : name
      names.set(`#/components/${section}/${name}`, `#/components/${section}/${own}`)
      return [section, own, value] as const
    })
  })
  const rename = (value: JsonValue) => renameReferences(value, names)
  const components: Record<string, JsonValue> = { ...base }
  for (const [section, name, value] of renamed)
    components[section] = { ...objectOf(components[section]), [name]: rename(value) }
  return { components, rename }
}

function renameReferences(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (isJsonArray(value)) return value.map(item => renameReferences(item, names))
  if (!isJsonObject(value)) return value
  const rename = (field: string, inner: JsonValue) =>
    field === '$ref' && typeof inner === 'string' ? renamed(inner, names) : renameReferences(inner, names)
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, rename(field, inner)]))
}

/** A reference may lead into a component. */
function renamed(ref: string, names: ReadonlyMap<string, string>): string {
  const [root, kind, section, name, ...inside] = ref.split('/')
  const own = names.get([root, kind, section, name].join('/'))
  return own === undefined ? ref : [own, ...inside].join('/')
}

/** Two paths of one shape are one path, whose parameters have one name. */
function namedAs(parameter: JsonValue, from: string, to: string): JsonValue {
  const fields = objectOf(parameter)
  if (from === to || fields.in !== 'path') return parameter
  const place = from.split('/').indexOf(`{${fields.name}}`)
  const name = to.split('/')[place]?.replace(/[{}]/g, '')
  return name === undefined ? parameter : { ...fields, name }
}
