import { suggest } from '../../../base/text/did-you-mean.ts'
import type { Complaint } from '../../../control/files/complaint.ts'
import { showValue } from '../../../control/files/show.ts'
import { checkSchema } from './check-schema.ts'
import {
  below,
  complaintAbout,
  type Files,
  fieldsOf,
  follow,
  itemsOf,
  mapOf,
  type Spot,
  textOf,
} from './description-node.ts'
import { known, methodNames } from './openapi-fields.ts'

/** What is wrong with a description, as far as pet-mock has to understand it. */
export function checkDescription(root: Spot, files: Files): readonly Complaint[] {
  const complaints: Complaint[] = []
  const seen = new Set<string>()

  const complain = (spot: Spot, message: string, part?: 'key') =>
    complaints.push(complaintAbout(spot, message, part))

  /** The part that a spot stands for, looked at once; undefined when it is no map, which is told. */
  const enter = (spot: Spot, what: string, fields?: readonly string[]): Spot | undefined => {
    const target = follow(spot, files)
    // A reference that leads nowhere is told where references are read.
    if (target === undefined) return undefined
    const place = `${target.document.file}#${target.path.join('/')}`
    if (seen.has(place)) return undefined
    seen.add(place)
    if (mapOf(target) === undefined) {
      complain(target, `expected ${what}, found ${showValue(target.value)}`)
      return undefined
    }
    for (const [name, field] of fields === undefined ? [] : fieldsOf(target)) {
      if (!fields?.includes(name) && !name.startsWith('x-') && name !== '$ref')
        complain(field, `unknown field${suggest(name, fields ?? [])}`, 'key')
    }
    return target
  }

  const need = (spot: Spot, name: string, expected: string) => {
    if (below(spot, name).value === undefined)
      complain(spot, `${name} is missing: expected ${expected}`, 'key')
    else if (textOf(below(spot, name)) === undefined)
      complain(below(spot, name), `expected ${expected}, found ${showValue(below(spot, name).value)}`)
  }

  const checkContent = (spot: Spot) => {
    if (spot.value === undefined) return
    for (const [, media] of fieldsOf(enter(spot, 'a map of media types') ?? spot)) {
      const type = enter(media, 'a map with a schema', known.media)
      if (type !== undefined) complaints.push(...checkSchema(below(type, 'schema'), files, seen))
    }
  }

  const checkParameter = (spot: Spot) => {
    const parameter = enter(spot, 'a parameter', known.parameter)
    if (parameter === undefined) return
    need(parameter, 'name', 'the name of the parameter')
    const place = below(parameter, 'in')
    if (!['query', 'header', 'path', 'cookie'].includes(`${place.value}`))
      complain(place, `expected one of query, header, path, cookie, found ${showValue(place.value)}`)
    if (place.value === 'path' && below(parameter, 'required').value !== true)
      complain(parameter, 'a parameter of the path is required: write required: true', 'key')
    if (below(parameter, 'content').value !== undefined) checkContent(below(parameter, 'content'))
    else complaints.push(...checkSchema(below(parameter, 'schema'), files, seen))
  }

  const checkResponses = (spot: Spot) => {
    if (spot.value === undefined) return
    for (const [status, field] of fieldsOf(enter(spot, 'a map of responses by status') ?? spot)) {
      if (status.startsWith('x-')) continue
      if (!/^(?:[1-5](?:\d\d|XX)|default)$/.test(status))
        complain(field, 'expected a status as its name, such as "200", 4XX or default', 'key')
      const response = enter(field, 'a response', known.response)
      if (response === undefined) continue
      checkContent(below(response, 'content'))
      for (const [, header] of fieldsOf(below(response, 'headers'))) {
        const told = enter(header, 'a header')
        if (told !== undefined) complaints.push(...checkSchema(below(told, 'schema'), files, seen))
      }
    }
  }

  const ids = new Map<string, Spot>()
  const checkOperation = (spot: Spot, path: string, shared: readonly Spot[]) => {
    const operation = enter(spot, 'an operation', known.operation)
    if (operation === undefined) return
    const id = below(operation, 'operationId')
    const other = ids.get(`${id.value}`)
    if (id.value !== undefined && textOf(id) === undefined)
      complain(id, `expected a text, found ${showValue(id.value)}`)
    else if (other !== undefined)
      complain(id, `another operation has this id: ${other.path.slice(1, 3).join(' ')}`)
    else if (id.value !== undefined) ids.set(`${id.value}`, operation)
    const own = itemsOf(below(operation, 'parameters'))
    for (const parameter of own) checkParameter(parameter)
    for (const name of path.matchAll(/\{([^{}]*)\}/g)) {
      const isTold = [...own, ...shared].some(parameter => {
        const told = follow(parameter, files)
        return (
          told !== undefined && below(told, 'in').value === 'path' && below(told, 'name').value === name[1]
        )
      })
      if (!isTold)
        complain(operation, `${name[0]} is in the path, and no parameter with in: path has this name`, 'key')
    }
    const body = below(operation, 'requestBody')
    const read = body.value === undefined ? undefined : enter(body, 'a request body', known.body)
    if (read !== undefined) checkContent(below(read, 'content'))
    const responses = below(operation, 'responses')
    if (responses.value === undefined || fieldsOf(responses).length === 0)
      complain(operation, 'responses is missing: expected what it answers, by status', 'key')
    checkResponses(responses)
  }

  enter(root, 'an OpenAPI description', known.root)
  const info = below(root, 'info')
  if (mapOf(info) === undefined)
    complain(root, 'info is missing: expected a map with title and version', 'key')
  else {
    need(info, 'title', 'a text')
    need(info, 'version', 'a text, such as "1.0.0"')
  }
  const paths = below(root, 'paths')
  if (mapOf(paths) === undefined || fieldsOf(paths).length === 0)
    complain(paths, `expected a map of paths with at least one, found ${showValue(paths.value)}`)
  const shapes = new Map<string, string>()
  for (const [path, spot] of fieldsOf(paths)) {
    if (path.startsWith('x-')) continue
    if (!path.startsWith('/'))
      complain(spot, `expected a path that begins with a slash: write /${path}`, 'key')
    const shape = path.replace(/\{[^{}]*\}/g, '{}')
    const twin = shapes.get(shape)
    if (twin !== undefined) complain(spot, `no call can tell this path from ${twin}`, 'key')
    else shapes.set(shape, path)
    const item = enter(spot, 'a map of operations', known.item)
    if (item === undefined) continue
    const shared = itemsOf(below(item, 'parameters'))
    for (const parameter of shared) checkParameter(parameter)
    for (const method of methodNames) {
      const operation = below(item, method)
      if (operation.value !== undefined) checkOperation(operation, path, shared)
    }
  }
  for (const [, schema] of fieldsOf(below(root, 'components', 'schemas')))
    complaints.push(...checkSchema(schema, files, seen))
  return complaints
}
