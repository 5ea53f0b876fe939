import { isJsonObject } from '../../base/json/is-object.ts'
import { joinSchema, withoutRef } from '../../base/json/schema.ts'
import type { JsonObject } from '../../base/json/value.ts'
import { givenExample } from './example.ts'
import { objectAt, objectsAt, textAt, textsAt } from './nodes.ts'
import type { Answer, Content, Operation, Parameter } from './operation.ts'

/** `item`: the object of the path, which may hold parameters for all its operations. */
export function readOperation(root: JsonObject, method: string, path: string, item: JsonObject): Operation {
  const node = objectAt(item, method)
  const upper = method.toUpperCase()
  const body = withoutRef(root, objectAt(node, 'requestBody'))
  const content = readContent(root, body)
  return {
    id: textAt(node, 'operationId') || `${upper} ${path}`,
    method: upper,
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
function readParameters(root: JsonObject, item: JsonObject, node: JsonObject): readonly Parameter[] {
  const all = [...objectsAt(item, 'parameters'), ...objectsAt(node, 'parameters')]
    .map(one => withoutRef(root, one))
    .map(one => readParameter(root, textAt(one, 'name'), one))
  return [...new Map(all.map(one => [`${one.place} ${one.name}`, one])).values()]
}

function readParameter(root: JsonObject, name: string, node: JsonObject): Parameter {
  const schema = joinSchema(root, objectAt(node, 'schema'))
  const [example] = readExamples(root, node)
  return {
    name,
    place: textAt(node, 'in'),
    isRequired: node.required === true,
    about: textAt(node, 'description') || textAt(schema, 'description'),
    schema,
    example: example?.value ?? givenExample(schema),
  }
}

function readAnswer(root: JsonObject, status: string, node: JsonObject): Answer {
  const headers = Object.entries(objectAt(node, 'headers')).flatMap(([name, header]) =>
    isJsonObject(header) ? [readParameter(root, name, withoutRef(root, header))] : [],
  )
  return { status, about: textAt(node, 'description'), headers, content: readContent(root, node) }
}

/** The JSON of a body, or what it has instead. */
function readContent(root: JsonObject, node: JsonObject): Content | undefined {
  const content = objectAt(node, 'content')
  const types = Object.keys(content)
  const type = types.find(one => /\bjson\b/.test(one)) ?? types[0]
  if (type === undefined) return undefined
  const media = objectAt(content, type)
  return { type, schema: objectAt(media, 'schema'), examples: readExamples(root, media) }
}

function readExamples(root: JsonObject, node: JsonObject): Content['examples'] {
  if (node.example !== undefined) return [{ name: '', value: node.example }]
  return Object.entries(objectAt(node, 'examples')).flatMap(([name, one]) => {
    const { value, summary } = withoutRef(root, one)
    return value === undefined ? [] : [{ name: typeof summary === 'string' ? summary : name, value }]
  })
}
