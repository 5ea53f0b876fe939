import type { DescriptionNode } from './description-node.ts'

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

export type KindName =
  | 'description'
  | 'info'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'body'
  | 'response'
  | 'header'
  | 'mediaType'
  | 'schema'

/** What pet-mock requires of one kind of map in an OpenAPI 3 description. */
export interface Kind {
  /** Completes "expected …". */
  readonly expected: string
  readonly isBooleanAllowed?: boolean
  readonly fields: Readonly<Record<string, Field>>
  /** Fields that are allowed and not looked into. Without this list, any field is allowed. */
  readonly others?: readonly string[]
}

export interface Field {
  /** Completes "expected …". */
  readonly expected: string
  readonly fits: (node: DescriptionNode) => boolean
  readonly isRequired?: boolean
  /** The words to suggest for a misspelt one. */
  readonly words?: readonly string[]
  /** The kind of the parts that the value consists of. */
  readonly kind?: KindName
  readonly parts?: (node: DescriptionNode) => readonly DescriptionNode[]
}

const text: Field = { expected: 'a text', fits: node => node.text !== undefined }

function needed(field: Field, expected = field.expected): Field {
  return { ...field, expected, isRequired: true }
}

/** A value of one kind, which says itself what it expects. */
function one(kind: KindName, expected = ''): Field {
  return { expected, fits: () => true, kind, parts: node => [node] }
}

function listOf(kind: KindName, expected: string, least = 0): Field {
  // In YAML, a field without a value is null.
  const fits = ({ value }: DescriptionNode) =>
    Array.isArray(value) ? value.length >= least : value === null && least === 0
  return { expected, fits, kind, parts: node => node.items }
}

function mapOf(kind: KindName, expected: string, least = 0): Field {
  return {
    expected,
    fits: ({ map }) => map !== undefined && Object.keys(map).length >= least,
    kind,
    parts: node =>
      (node.follow()?.fields ?? []).flatMap(([name, part]) =>
        kind !== 'schema' && isExtension(name) ? [] : [part],
      ),
  }
}

export function isExtension(name: string): boolean {
  return name.startsWith('x-')
}

function oneOf(text: string): Field {
  const known = words(text)
  const fits = ({ value }: DescriptionNode) =>
    [value].flat().every(word => typeof word !== 'object' && known.includes(`${word}`))
  return { expected: `one of ${known.join(', ')}`, fits, words: known }
}

function each(names: string, field: Field): Readonly<Record<string, Field>> {
  return Object.fromEntries(words(names).map(name => [name, field]))
}

function words(text: string): readonly string[] {
  return text.split(' ')
}

const content = mapOf('mediaType', 'a map of media types')
const headers: Field = {
  ...mapOf('header', 'a map of headers'),
  fits: ({ map, value }) => map !== undefined || value === null,
}
const parameters = listOf('parameter', 'a list of parameters')
const schemas = mapOf('schema', 'a map of schemas')

export const kinds: Readonly<Record<KindName, Kind>> = {
  description: {
    expected: 'an OpenAPI description',
    fields: {
      info: needed(one('info', 'a map with title and version')),
      paths: needed(mapOf('pathItem', 'a map with at least one path', 1)),
    },
    others: words('openapi jsonSchemaDialect servers webhooks components security tags externalDocs'),
  },
  info: {
    expected: 'a map with title and version',
    fields: { title: needed(text), version: needed(text, 'a text, such as "1.0.0"') },
  },
  pathItem: {
    expected: 'a map of operations',
    fields: { parameters, ...each(methods.join(' '), one('operation')) },
    others: ['summary', 'description', 'servers'],
  },
  operation: {
    expected: 'an operation',
    fields: {
      operationId: text,
      parameters,
      requestBody: one('body'),
      responses: needed(mapOf('response', 'a map with at least one response, by status', 1)),
    },
    others: words('tags summary description externalDocs callbacks deprecated security servers'),
  },
  parameter: {
    expected: 'a parameter',
    fields: {
      name: needed(text, 'the name of the parameter'),
      in: needed(oneOf('query header path cookie')),
      schema: one('schema'),
      content,
    },
    others: words(
      'description required deprecated allowEmptyValue style explode allowReserved example examples',
    ),
  },
  body: { expected: 'a request body', fields: { content }, others: ['description', 'required'] },
  response: { expected: 'a response', fields: { content, headers }, others: ['description', 'links'] },
  header: { expected: 'a header', fields: { schema: one('schema') } },
  mediaType: {
    expected: 'a map with a schema',
    fields: { schema: one('schema') },
    others: ['example', 'examples', 'encoding'],
  },
  schema: {
    expected: 'a schema, a map such as { type: string }',
    isBooleanAllowed: true,
    fields: {
      type: oneOf('string number integer boolean array object null'),
      enum: { expected: 'a list of values', fits: ({ items }) => items.length > 0 },
      required: {
        expected: 'a list of names',
        fits: ({ value, items }) => Array.isArray(value) && items.every(item => item.text !== undefined),
      },
      // Ajv compiles patterns with the flag `u`; many are written without it.
      pattern: {
        expected: 'a regular expression',
        fits: ({ text }) => text !== undefined && (compiles(text, 'u') || compiles(text, '')),
      },
      ...each(
        'minimum maximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties',
        { expected: 'a number', fits: ({ value }) => ['number', 'bigint'].includes(typeof value) },
      ),
      ...each('items not additionalProperties contains propertyNames if then else', one('schema')),
      ...each('allOf anyOf oneOf prefixItems', listOf('schema', 'a list of schemas', 1)),
      ...each('properties patternProperties $defs definitions dependentSchemas', schemas),
    },
  },
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).flags === flags
  } catch {
    return false
  }
}
