import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import { joinSchema, withoutRef } from '../../base/json/schema.ts'
import type { JsonObject } from '../../base/json/value.ts'
import { givenExample, objectAt, objectsAt, textAt, textsAt } from './schema.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/** Schemas may nest deeper than the bodies that they describe. */
const extraDepth = 192

export type ApiDocument = ReturnType<typeof readDocument>
export type Operation = ReturnType<typeof readOperation>
export type Parameter = ReturnType<typeof readParameter>
/** A body: its media type, schema and examples. */
export type Content = NonNullable<ReturnType<typeof readContent>>
export type Answer = ReturnType<typeof readAnswer>

/** Reads an OpenAPI document. `origin`: the server's URL. Integers of 64 bits in examples stay exact. */
export function readDocument(text: string, origin: string) {
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
    /** Markdown. */
    about: textAt(info, 'description'),
    tags: tagsOf(root, new Set(operations.map(({ tag }) => tag))),
    operations,
    /** The document itself, for references. */
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
function tagsOf(root: JsonObject, used: ReadonlySet<string>) {
  const listed = objectsAt(root, 'tags').map(tag => ({
    name: textAt(tag, 'name'),
    about: textAt(tag, 'description'),
  }))
  const names = new Set(listed.map(({ name }) => name))
  const others = [...used].filter(name => !names.has(name)).map(name => ({ name, about: '' }))
  return [...listed, ...others].filter(({ name }) => used.has(name))
}

/** `item`: the object of the path, which may hold parameters for all its operations. */
function readOperation(root: JsonObject, method: string, path: string, item: JsonObject) {
  const node = objectAt(item, method)
  const upper = method.toUpperCase()
  const body = withoutRef(root, objectAt(node, 'requestBody'))
  const content = readContent(root, body)
  return {
    /** Its `operationId`, or its method and path. */
    id: textAt(node, 'operationId') || `${upper} ${path}`,
    method: upper,
    /** The path from the server's root, with names in braces: `/v1/pets/{petId}`. */
    path,
    tag: textsAt(node, 'tags')[0] ?? 'Other',
    summary: textAt(node, 'summary'),
    about: textAt(node, 'description'),
    isDeprecated: node.deprecated === true,
    parameters: readParameters(root, item, node),
    body: content && { ...content, isRequired: body.required === true },
    answers: Object.entries(objectAt(node, 'responses')).map(([status, answer]) =>
      readAnswer(root, status, withoutRef(root, answer)),
    ),
  }
}

/** Those of the operation replace those of its path. */
function readParameters(root: JsonObject, item: JsonObject, node: JsonObject) {
  const all = [...objectsAt(item, 'parameters'), ...objectsAt(node, 'parameters')]
    .map(one => withoutRef(root, one))
    .map(one => readParameter(root, textAt(one, 'name'), one))
  return [...new Map(all.map(one => [`${one.place} ${one.name}`, one])).values()]
}

function readParameter(root: JsonObject, name: string, node: JsonObject) {
  const schema = joinSchema(root, objectAt(node, 'schema'))
  const [example] = readExamples(root, node)
  return {
    name,
    /** `path`, `query`, `header` or `cookie`. */
    place: textAt(node, 'in'),
    isRequired: node.required === true,
    about: textAt(node, 'description') || textAt(schema, 'description'),
    schema,
    example: example?.value ?? givenExample(schema),
  }
}

function readAnswer(root: JsonObject, status: string, node: JsonObject) {
  const headers = Object.entries(objectAt(node, 'headers')).flatMap(([name, header]) =>
    isJsonObject(header) ? [readParameter(root, name, withoutRef(root, header))] : [],
  )
  return { status, about: textAt(node, 'description'), headers, content: readContent(root, node) }
}

/** The JSON of a body, or what it has instead. */
function readContent(root: JsonObject, node: JsonObject) {
  const content = objectAt(node, 'content')
  const types = Object.keys(content)
  const type = types.find(one => /\bjson\b/.test(one)) ?? types[0]
  if (type === undefined) return undefined
  const media = objectAt(content, type)
  return { type, schema: objectAt(media, 'schema'), examples: readExamples(root, media) }
}

function readExamples(root: JsonObject, node: JsonObject) {
  if (node.example !== undefined) return [{ name: '', value: node.example }]
  return Object.entries(objectAt(node, 'examples')).flatMap(([name, one]) => {
    const { value, summary } = withoutRef(root, one)
    return value === undefined ? [] : [{ name: typeof summary === 'string' ? summary : name, value }]
  })
}
