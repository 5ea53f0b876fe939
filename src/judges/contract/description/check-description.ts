import { suggest } from '../../../base/text/did-you-mean.ts'
import type { Complaint } from '../../../control/files/complaint.ts'
import { showValue } from '../../../control/files/show.ts'
import { checkPaths } from './check-paths.ts'
import { isExtension, type Kind, type KindName, kinds } from './description-kinds.ts'
import type { DescriptionNode } from './description-node.ts'

/** Every mistake in the parts of a description that pet-mock reads. */
export function checkDescription(root: DescriptionNode): readonly Complaint[] {
  const visited = new Set<string>()
  const check = (start: DescriptionNode, kindName: KindName): readonly Complaint[] => {
    const node = start.follow()
    // References that lead nowhere have complaints of their own.
    if (node === undefined || visited.has(node.id)) return []
    visited.add(node.id)
    const kind = kinds[kindName]
    if (kind.isBooleanAllowed && typeof node.value === 'boolean') return []
    if (node.map === undefined) return [unexpected(node, kind.expected)]
    const parts = Object.entries(kind.fields).flatMap(([name, { kind, parts }]) =>
      kind === undefined || parts === undefined || node.at(name).value === undefined
        ? []
        : parts(node.at(name)).flatMap(part => check(part, kind)),
    )
    return [...checkNames(node, kind), ...checkFields(node, kind), ...parts]
  }
  const schemas = root.at('components', 'schemas').fields
  return [
    ...check(root, 'description'),
    ...schemas.flatMap(([, schema]) => check(schema, 'schema')),
    ...checkPaths(root),
  ]
}

function checkNames(node: DescriptionNode, { fields, others }: Kind): readonly Complaint[] {
  if (others === undefined) return []
  const known = [...Object.keys(fields), ...others]
  return node.fields.flatMap(([name, field]) =>
    known.includes(name) || name === '$ref' || isExtension(name)
      ? []
      : [field.complaint(`unknown field${suggest(name, known)}`, 'key')],
  )
}

function checkFields(node: DescriptionNode, { fields }: Kind): readonly Complaint[] {
  return Object.entries(fields).flatMap(([name, { expected, fits, isRequired, words = [] }]) => {
    const field = node.at(name)
    if (field.value === undefined)
      return isRequired ? [node.complaint(`${name} is missing: expected ${expected}`, 'key')] : []
    return fits(field) ? [] : [unexpected(field, expected, suggest(field.text ?? '', words))]
  })
}

function unexpected(node: DescriptionNode, expected: string, hint = ''): Complaint {
  return node.complaint(`expected ${expected}, found ${showValue(node.value)}${hint}`)
}
