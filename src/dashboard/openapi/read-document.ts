import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import { withoutRef } from '../../base/json/schema.ts'
import type { JsonObject } from '../../base/json/value.ts'
import { objectAt, objectsAt, textAt } from './nodes.ts'
import type { ApiDocument } from './operation.ts'
import { readOperation } from './read-operation.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/** Schemas may nest deeper than the bodies that they describe. */
const extraDepth = 192

/** Reads an OpenAPI document. `origin`: the server's URL. Integers of 64 bits in examples stay exact. */
export function readDocument(text: string, origin: string): ApiDocument {
  const read = readJson(text, extraDepth)
  if (!('value' in read) || !isJsonObject(read.value)) throw new Error('The server sent no OpenAPI document.')
  const root = read.value
  const info = objectAt(root, 'info')
  const base = basePath(textAt(objectsAt(root, 'servers')[0] ?? {}, 'url'), origin)
  const operations = Object.entries(objectAt(root, 'paths')).flatMap(([path, node]) => {
    const item = withoutRef(root, node)
    return methods
      .filter(method => isJsonObject(item[method] ?? null))
      .map(method => readOperation(root, method, base + path, item))
  })
  return {
    title: textAt(info, 'title'),
    version: textAt(info, 'version'),
    about: textAt(info, 'description'),
    tags: tagsOf(root, new Set(operations.map(({ tag }) => tag))),
    operations,
    root,
  }
}

/** The path of a server's URL below the origin, which may have a path of its own. */
function basePath(url: string, origin: string): string {
  if (!URL.canParse(url, origin)) return ''
  const { pathname } = new URL(url, `${origin}/`)
  const prefix = new URL(origin).pathname.replace(/\/$/, '')
  const path = prefix !== '' && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
  return path.replace(/\/$/, '')
}

/** The tags that operations have, in the document's order. */
function tagsOf(root: JsonObject, used: ReadonlySet<string>): ApiDocument['tags'] {
  const listed = objectsAt(root, 'tags').map(tag => ({
    name: textAt(tag, 'name'),
    about: textAt(tag, 'description'),
  }))
  const names = new Set(listed.map(({ name }) => name))
  const others = [...used].filter(name => !names.has(name)).map(name => ({ name, about: '' }))
  return [...listed, ...others].filter(({ name }) => used.has(name))
}
