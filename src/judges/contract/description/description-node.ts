import { isJsonObject } from '../../../base/json/is-object.ts'
import { followFrom, pointerPath, refOf, valueAt } from '../../../base/json/pointer.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { decodePercent } from '../../../base/percent.ts'
import { type Complaint, complain, type Document, formatComplaint } from '../../../control/files/complaint.ts'
import { about, type Path } from '../../../control/files/show.ts'
import { resolveFrom } from '../../../control/scenario/read/read.ts'

/** A complaint about a part of a description. */
export interface NodeComplaint extends Complaint {
  readonly node: DescriptionNode
}

/** Every file of a description by its path: the one that the user names, and those it refers to. */
export type Files = ReadonlyMap<string, Document>

/** A value in an OpenAPI description, and its place. */
export class DescriptionNode {
  readonly files: Files
  readonly document: Document
  readonly path: Path
  /** Undefined for a node that does not exist. */
  readonly value: JsonValue | undefined

  constructor(files: Files, document: Document, path: Path, value: JsonValue | undefined) {
    this.files = files
    this.document = document
    this.path = path
    this.value = value
  }

  static rootOf(document: Document, files: Files = new Map()): DescriptionNode {
    return new DescriptionNode(files, document, [], document.value)
  }

  at(...names: readonly (string | number)[]): DescriptionNode {
    const path = [...this.path, ...names]
    return new DescriptionNode(this.files, this.document, path, valueAt(this.value, names))
  }

  get map(): JsonObject | undefined {
    return isJsonObject(this.value) ? this.value : undefined
  }

  get text(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined
  }

  /** The fields of a map; empty for any other value. */
  get fields(): readonly (readonly [name: string, field: DescriptionNode])[] {
    return Object.keys(this.map ?? {}).map(name => [name, this.at(name)])
  }

  /** The items of a list; empty for any other value. */
  get items(): readonly DescriptionNode[] {
    return Array.isArray(this.value) ? this.value.map((_item, index) => this.at(index)) : []
  }

  /** The node that `$ref` leads to, or this one without `$ref`; undefined if the reference leads nowhere. */
  follow(): DescriptionNode | undefined {
    const targetOf = (ref: string, node: DescriptionNode) => node.target(ref)
    return followFrom<DescriptionNode>(this, ({ value }) => refOf(value), targetOf)
  }

  /** The node that a `$ref` in this document means (RFC 6901). */
  target(ref: string): DescriptionNode | undefined {
    const [name = '', fragment = ''] = ref.split('#')
    const document = name === '' ? this.document : this.files.get(fileOf(this.document.file, name))
    const path = pointerPath(fragment)
    if (document === undefined || path === undefined) return undefined
    const target = DescriptionNode.rootOf(document, this.files).at(...path)
    return target.value === undefined ? undefined : target
  }

  get id(): string {
    return `${this.document.file}#${this.path.join('/')}`
  }

  complaint(message: string, part: 'key' | 'value' = 'value'): NodeComplaint {
    return { ...complain(this.document, this.path, part, about(this.path, message)), node: this }
  }

  /** `file:line:column` */
  get place(): string {
    return formatComplaint(complain(this.document, this.path, 'value', '')).slice(0, -2)
  }
}

/** The path of a file that `file` refers to as `name`. */
export function fileOf(file: string, name: string): string {
  return resolveFrom(file, decodePercent(name) ?? name)
}
