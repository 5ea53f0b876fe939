import type { JsonObject } from '../../../base/json/value.ts'
import { documentOf } from '../../../control/files/document.ts'
import { compareParameters } from './compare-parameters.ts'
import { type Contradiction, compareSchemas, type Side } from './compare-schemas.ts'
import type { ContractFile } from './contract-file.ts'
import { isUnderApi } from './described-operation.ts'
import { below, type Files, fieldsOf, follow, itemsOf, mapOf, type Spot, textOf } from './description-node.ts'

/**
 * Where a user's contract says something else than what the emulator does, which `ours` describes: openapi.yaml. A
 * contract with none of the emulated operations only adds to them, and removes nothing.
 */
export function findContradictions(
  { root, files }: ContractFile,
  ours: JsonObject,
): readonly Contradiction[] {
  const document = documentOf(ours)
  const ourRoot: Spot = { document, path: [], value: document.value }
  const ourFiles: Files = new Map([[document.file, document]])
  const pairs = fieldsOf(below(ourRoot, 'paths')).flatMap(([path, item]) =>
    fieldsOf(item).map(([method, our]) => ({
      path,
      method,
      our,
      their: operationAt(root, files, path, method),
    })),
  )
  if (pairs.every(({ their }) => their === undefined)) return []
  const found = pairs.flatMap(({ path, method, our, their }) => {
    const name = `${method.toUpperCase()} /v1${path}`
    if (their === undefined)
      return [{ spot: below(root, 'paths'), message: `${name} is not here; the emulator answers it` }]
    const compared = compareOperations(
      { spot: their.operation, files },
      { spot: our, files: ourFiles },
      itemsOf(below(their.item, 'parameters')),
    )
    return [...compared, ...compareSecurity(root, their.operation, files)].map(({ spot, message }) => ({
      spot,
      message: `${name}: ${message}`,
    }))
  })
  return distinct([...compareServers(root), ...found])
}

function operationAt(root: Spot, files: Files, path: string, method: string) {
  const shape = shapeOf(path)
  for (const [name, spot] of fieldsOf(below(root, 'paths'))) {
    const item = shapeOf(isUnderApi(name) ? name.slice('/v1'.length) : name) === shape && follow(spot, files)
    const operation = item ? follow(below(item, method), files) : undefined
    if (item && operation?.value !== undefined) return { item, operation }
  }
  return undefined
}

function shapeOf(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}')
}

function compareOperations(theirs: Side, ours: Side, shared: readonly Spot[]): readonly Contradiction[] {
  const schemaOf = ({ spot, files }: Side, ...names: readonly string[]): Side | undefined => {
    const part = follow(below(spot, ...names), files)
    const media = part && follow(below(part, 'content', 'application/json', 'schema'), files)
    return media?.value === undefined ? undefined : { spot: media, files }
  }
  const compare = (
    their: Side | undefined,
    our: Side | undefined,
    name: string,
    direction: 'sent' | 'answered',
  ) => (their && our ? compareSchemas(their, our, name, direction) : [])
  const [success = ''] = fieldsOf(below(ours.spot, 'responses')).map(([status]) => status)
  const answers = below(theirs.spot, 'responses')
  const status = [success, '2XX', 'default'].find(name => below(answers, name).value !== undefined)
  return [
    ...compareParameters(theirs, ours, shared),
    ...compare(schemaOf(theirs, 'requestBody'), schemaOf(ours, 'requestBody'), 'the body', 'sent'),
    ...(status === undefined
      ? [{ spot: answers, message: `${success} is not among the answers here; the emulator gives it` }]
      : compare(
          schemaOf(theirs, 'responses', status),
          schemaOf(ours, 'responses', success),
          'the answer',
          'answered',
        )),
    ...compareDeprecation(theirs.spot, ours.spot),
  ]
}

function compareDeprecation(their: Spot, our: Spot): readonly Contradiction[] {
  const isDeprecated = (spot: Spot) => below(spot, 'deprecated').value === true
  const sunset = ['x-deprecated-sunset', 'x-sunset']
    .map(name => below(their, name))
    .find(spot => spot.value !== undefined)
  const date = below(our, 'x-deprecated-sunset').value
  const isSameDay = `${sunset?.value}`.slice(0, 10) === `${date}`
  const says = (is: boolean) => (is ? 'deprecated' : 'not deprecated')
  return [
    ...(isDeprecated(their) === isDeprecated(our)
      ? []
      : [
          {
            spot: their,
            message: `it is ${says(isDeprecated(their))} here; to the emulator it is ${says(isDeprecated(our))}`,
          },
        ]),
    ...(sunset === undefined || date === undefined || isSameDay
      ? []
      : [
          {
            spot: sunset,
            message: `it is removed on ${sunset.value} here; the emulator removes it on ${date}`,
          },
        ]),
  ]
}

/** Every call needs a key, sent as a bearer token (specification, "Authentication"). */
function compareSecurity(root: Spot, operation: Spot, files: Files): readonly Contradiction[] {
  const own = below(operation, 'security')
  const security = own.value === undefined ? below(root, 'security') : own
  const spot = security.value === undefined ? operation : security
  const choices = itemsOf(security)
  if (choices.length === 0 || choices.some(choice => fieldsOf(choice).length === 0))
    return [{ spot, message: 'no key is needed here; the emulator wants one' }]
  const isBearer = (name: string) => {
    const scheme = follow(below(root, 'components', 'securitySchemes', name), files)
    return scheme !== undefined && textOf(below(scheme, 'scheme'))?.toLowerCase() === 'bearer'
  }
  const fits = choices.some(choice => Object.keys(mapOf(choice) ?? {}).every(isBearer))
  return fits ? [] : [{ spot, message: 'the key is not a bearer token here; to the emulator it is one' }]
}

function compareServers(root: Spot): readonly Contradiction[] {
  const servers = itemsOf(below(root, 'servers'))
  const addresses = servers.map(server =>
    `${below(server, 'url').value}`.replace(/\{([^{}]*)\}/g, (whole, name) =>
      String(below(server, 'variables', name, 'default').value ?? whole),
    ),
  )
  const isWritten = fieldsOf(below(root, 'paths')).some(([path]) => isUnderApi(path))
  if (isWritten || addresses.length === 0 || addresses.some(url => /\/v1\/?$/.test(url))) return []
  const message = 'none of these addresses ends in /v1; the emulator has every path under /v1'
  return [{ spot: below(root, 'servers'), message }]
}

/** What several operations share is told of the first. */
function distinct(found: readonly Contradiction[]): readonly Contradiction[] {
  const seen = new Set<string>()
  return found.filter(({ spot: { document, path }, message }) => {
    const key = `${document.file} ${path.join('/')} ${message.replace(/^[A-Z]+ \S+: /, '')}`
    return !seen.has(key) && seen.add(key)
  })
}
