import { suggest } from '../../../base/text/did-you-mean.ts'
import { showValue } from '../../../control/files/show.ts'
import { pathShape } from '../../../service/operations/routes.ts'
import { isExtension, type Kind, type KindName, kinds, methods } from './description-kinds.ts'
import type { DescriptionNode, NodeComplaint } from './description-node.ts'

/** Every mistake in the parts of a description that pet-mock reads. */
export function checkDescription(root: DescriptionNode): readonly NodeComplaint[] {
  const visited = new Set<string>()
  const check = (start: DescriptionNode, kindName: KindName): readonly NodeComplaint[] => {
    const node = start.follow()
    // References that lead nowhere have complaints of their own.
    if (node === undefined || visited.has(node.id)) return []
    visited.add(node.id)
    const kind = kinds[kindName]
    if (kind.isBooleanAllowed && typeof node.value === 'boolean') return []
    if (node.map === undefined) return [unexpected(node, kind.expected)]
    const parts = Object.entries(kind.fields).flatMap(([name, { kind, parts }]) => {
      const field = node.at(name)
      if (kind === undefined || parts === undefined || field.value === undefined) return []
      return parts(field).flatMap(part => check(part, kind))
    })
    return [...checkNames(node, kind), ...checkFields(node, kind), ...parts]
  }
  const schemas = root.at('components', 'schemas').fields
  const paths = root.at('paths').fields.filter(([path]) => !isExtension(path))
  return [
    ...check(root, 'description'),
    ...schemas.flatMap(([, schema]) => check(schema, 'schema')),
    ...checkTemplates(paths),
    ...checkIds(paths),
    ...paths.flatMap(checkOperations),
  ]
}

function checkNames(node: DescriptionNode, { fields, others }: Kind): readonly NodeComplaint[] {
  if (others === undefined) return []
  const known = [...Object.keys(fields), ...others]
  return node.fields.flatMap(([name, field]) =>
    known.includes(name) || name === '$ref' || isExtension(name)
      ? []
      : [field.complaint(`unknown field${suggest(name, known)}`, 'key')],
  )
}

function checkFields(node: DescriptionNode, { fields }: Kind): readonly NodeComplaint[] {
  return Object.entries(fields).flatMap(([name, { expected, fits, isRequired, words = [] }]) => {
    const field = node.at(name)
    if (field.value === undefined)
      return isRequired ? [node.complaint(`${name} is missing: expected ${expected}`, 'key')] : []
    return fits(field) ? [] : [unexpected(field, expected, suggest(field.text ?? '', words))]
  })
}

function unexpected(node: DescriptionNode, expected: string, hint = ''): NodeComplaint {
  return node.complaint(`expected ${expected}, found ${showValue(node.value)}${hint}`)
}

type Path = readonly [path: string, item: DescriptionNode]

/**
 * OpenAPI allows a path only once, whatever its parameters are called. Real files, such as GitHub's, repeat one with other
 * methods, and that is unambiguous.
 */
function checkTemplates(paths: readonly Path[]): readonly NodeComplaint[] {
  const calls = new Map<string, string>()
  return paths.flatMap(([path, node]) => {
    const present = methods.filter(method => node.follow()?.at(method).map !== undefined)
    // An item without operations counts as one of a method without a name.
    const own = (present.length > 0 ? present : ['']).map(method => `${method} ${pathShape(path)}`)
    const twin = own.map(call => calls.get(call)).find(other => other !== undefined)
    for (const call of own) if (!calls.has(call)) calls.set(call, path)
    return [
      ...(path.startsWith('/') ? [] : [`expected a path that begins with a slash: write /${path}`]),
      ...(/[#?]/.test(path) ? ['no request has this path: the path of a request ends before # and ?'] : []),
      ...(twin === undefined ? [] : [`this path matches the same requests as ${twin}`]),
    ].map(message => node.complaint(message, 'key'))
  })
}

/** The operations of a path, without those of other kinds than a map. */
function operationsOf([path, item]: Path) {
  return methods.flatMap(method => {
    const operation = item.follow()?.at(method).follow()
    return operation?.map === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, operation }]
  })
}

function checkIds(paths: readonly Path[]): readonly NodeComplaint[] {
  const first = new Map<string, { readonly name: string; readonly node: string }>()
  return paths.flatMap(operationsOf).flatMap(({ name, operation }) => {
    const id = operation.at('operationId')
    if (id.text === undefined) return []
    const other = first.get(id.text)
    if (other === undefined) first.set(id.text, { name, node: id.id })
    // Two paths may refer to one operation.
    return other === undefined || other.node === id.id
      ? []
      : [id.complaint(`another operation has this id: ${other.name}`)]
  })
}

function checkOperations(path: Path): readonly NodeComplaint[] {
  const [template, item] = path
  const shared = parametersOf(item.follow())
  const names = Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name]) => name)
  return operationsOf(path).flatMap(({ operation }) => {
    const inPath = [...shared, ...parametersOf(operation)].filter(node => node.at('in').value === 'path')
    const optional = inPath.filter(node => node.at('required').value !== true)
    const missing = names.filter(name => !inPath.some(node => node.at('name').value === name))
    const statuses = operation.at('responses').follow()?.fields ?? []
    return [
      ...optional.map(node =>
        node.complaint('a path parameter is always required: add required: true', 'key'),
      ),
      ...missing.map(name =>
        operation.complaint(`{${name}} is in the path, but no parameter with in: path has this name`, 'key'),
      ),
      ...statuses
        .filter(([status]) => !/^(?:[1-5](?:\d\d|XX)|default|x-.*)$/.test(status))
        .map(([, node]) => node.complaint('expected a status such as "200", 4XX or default', 'key')),
    ]
  })
}

function parametersOf(node: DescriptionNode | undefined): readonly DescriptionNode[] {
  return node?.at('parameters').items.flatMap(parameter => parameter.follow() ?? []) ?? []
}
