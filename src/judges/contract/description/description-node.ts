import { isJsonObject } from '../../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { type Complaint, formatComplaint } from '../../../control/files/complaint.ts'
import { complain, type Document } from '../../../control/files/document.ts'
import { about, type Path } from '../../../control/files/show.ts'
import { resolveFrom } from '../../../control/scenario/read/paths.ts'

/** A value of an OpenAPI description, and where it stands. */
export interface Spot {
  readonly document: Document
  readonly path: Path
  readonly value: JsonValue | undefined
}

/** Every file of a description, by its path: the one that was asked for, and those that it refers to. */
export type Files = ReadonlyMap<string, Document>

export function rootOf(document: Document): Spot {
  return { document, path: [], value: document.value }
}

/** What stands below a spot by these names; its value is undefined where nothing does. */
export function below({ document, path, value }: Spot, ...names: readonly (string | number)[]): Spot {
  let at: JsonValue | undefined = value
  for (const name of names) at = ownField(at, name)
  return { document, path: [...path, ...names], value: at }
}

function ownField(value: JsonValue | undefined, name: string | number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string | number, JsonValue>>)[name]
}

/** The fields of a map, each with its spot; none, where it is no map. */
export function fieldsOf(spot: Spot): readonly (readonly [name: string, field: Spot])[] {
  return Object.keys(mapOf(spot) ?? {}).map(name => [name, below(spot, name)])
}

export function itemsOf(spot: Spot): readonly Spot[] {
  return Array.isArray(spot.value) ? spot.value.map((_item, index) => below(spot, index)) : []
}

export function mapOf({ value }: Spot): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

export function textOf({ value }: Spot): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** More references than this, one to the next, lead round in a circle. */
const mostHops = 50

/** Where a spot's `$ref` leads, and what that one's does; undefined when it leads nowhere. Without one: the spot. */
export function follow(spot: Spot, files: Files): Spot | undefined {
  let at: Spot | undefined = spot
  for (let hops = 0; hops < mostHops && at !== undefined; hops += 1) {
    const ref = textOf(below(at, '$ref'))
    if (ref === undefined) return at
    at = targetOf(at.document, ref, files)
  }
  return undefined
}

/** What a `$ref` in a document means: a part of this file or of another (RFC 6901). */
export function targetOf(document: Document, ref: string, files: Files): Spot | undefined {
  const [name = '', fragment = ''] = ref.split('#')
  const file = name === '' ? document : files.get(fileOf(document, name))
  const path = pointerPath(fragment)
  if (file === undefined || path === undefined) return undefined
  const target = below(rootOf(file), ...path)
  return target.value === undefined ? undefined : target
}

/** The path of a file that another one names. */
export function fileOf({ file }: Document, name: string): string {
  return resolveFrom(file, decode(name) ?? name)
}

function pointerPath(fragment: string): Path | undefined {
  const pointer = decode(fragment)
  if (pointer === '') return []
  if (pointer === undefined || !pointer.startsWith('/')) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A complaint about a spot, or, with `key`, about the name that it has there. */
export function complaintAbout(
  { document, path }: Spot,
  message: string,
  part: 'key' | 'value' = 'value',
): Complaint {
  return complain(document, path, part, about(path, message))
}

/** `file:line:column`. */
export function placeOf(spot: Spot): string {
  return formatComplaint(complain(spot.document, spot.path, 'value', '')).slice(0, -2)
}
