import { expect, it } from 'vitest'
import { loadAreas } from '../../../src/library/files/load-contract.ts'
import { Unreadable } from '../../../src/library/files/read-file.ts'

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n'
const ok = 'responses: { "200": { description: ok } }'
const withSchema = (schema: string) =>
  `${head}paths:\n  /a: { get: { ${ok} } }\ncomponents:\n  schemas:\n    A: ${schema}\n`
const parameter = (name: string) =>
  `parameters: [{ name: ${name}, in: path, required: true, schema: { type: string } }]`
const get = (operation: string, path = '/a') => `${head}paths:\n  ${path}:\n    get: { ${operation} }\n`

async function complaintsOf(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const loading = await loadAreas('a.yaml', async path => {
    const text = texts[path]
    if (text === undefined) throw new Unreadable('no such file')
    return text
  })
  return loading.ok
    ? loading.value.leftOut.map(text => text.replace(/^[A-Z]+ \/\S*: /, ''))
    : loading.complaints
}

it.each<[what: string, text: string, complaints: readonly (string | RegExp)[]]>([
  ['no YAML', 'openapi: [', [/^a\.yaml:1:\d+: /]],
  ['a list', '- 1\n', ['a.yaml:1:1: expected an OpenAPI 3 description, a map with openapi, info and paths']],
  ['empty', '\n', ['a.yaml:1:1: the file is empty']],
  [
    'Swagger 2',
    'swagger: "2.0"\n',
    [/^a\.yaml:1:10: swagger: this is Swagger 2\.0, .* npx swagger2openapi /],
  ],
  ['3.2', 'openapi: 3.2.0\n', [/^a\.yaml:1:10: openapi: expected version 3\.0 or 3\.1/]],
  [
    'nothing in it',
    'openapi: 3.0.0\n',
    [
      'a.yaml:1:1: info is missing: expected a map with title and version',
      'a.yaml:1:1: paths is missing: expected a map with at least one path',
    ],
  ],
  [
    'no title',
    `openapi: 3.0.0\ninfo: { version: 1 }\npaths: { /a: { get: { ${ok} } } }`,
    [
      'a.yaml:2:1: info: title is missing: expected a text',
      'a.yaml:2:18: info.version: expected a text, such as "1.0.0", found 1',
    ],
  ],
  [
    'a field misspelt',
    `${head}path: {}\npaths: { /a: { get: { ${ok} } } }`,
    ['a.yaml:3:1: path: unknown field; did you mean paths?'],
  ],
  [
    'a path without slash',
    get(ok, 'a'),
    ['a.yaml:4:3: paths.a: expected a path that begins with a slash: write /a'],
  ],
  [
    'a method misspelt',
    `${head}paths:\n  /a:\n    gett: {}\n`,
    ['a.yaml:5:5: paths./a.gett: unknown field; did you mean get?'],
  ],
  [
    'an operation that is not a map',
    `${head}paths:\n  /a:\n    get: yes\n`,
    ['a.yaml:5:10: paths./a.get: expected an operation, found "yes"'],
  ],
  [
    'no responses',
    get('summary: A'),
    ['a.yaml:5:5: paths./a.get: responses is missing: expected a map with at least one response, by status'],
  ],
  [
    'an invalid status',
    get('responses: { 20: { description: a } }'),
    ['a.yaml:5:25: paths./a.get.responses.20: expected a status such as "200", 4XX or default'],
  ],
  [
    'a path parameter without a description',
    get(ok, '/a/{id}'),
    ['a.yaml:5:5: paths["/a/{id}"].get: {id} is in the path, but no parameter with in: path has this name'],
  ],
  [
    'an optional path parameter',
    get(`parameters: [{ name: id, in: path }], ${ok}`, '/a/{id}'),
    [/a path parameter is always required: add required: true$/],
  ],
  [
    'a parameter in an unknown place',
    get(`parameters: [{ name: id, in: body }], ${ok}`),
    ['a.yaml:5:41: paths./a.get.parameters[0].in: expected one of query, header, path, cookie, found "body"'],
  ],
  [
    'two operations with one id',
    `${head}paths:\n  /a: { get: { operationId: x, ${ok} }, post: { operationId: x, ${ok} } }\n`,
    [/^a\.yaml:4:\d+: paths\.\/a\.post\.operationId: another operation has this id: GET \/a$/],
  ],
  [
    'two paths that match the same requests',
    `${head}paths:\n  /{a}: {}\n  /{b}: {}\n`,
    ['a.yaml:5:3: paths["/{b}"]: this path matches the same requests as /{a}'],
  ],
  [
    'two paths that match the same requests with one method',
    `${head}paths:\n  /{a}: { get: { ${parameter('a')}, ${ok} } }\n  /{b}: { get: { ${parameter('b')}, ${ok} } }\n`,
    ['a.yaml:5:3: paths["/{b}"]: this path matches the same requests as /{a}'],
  ],
  [
    'two paths that match the same requests with other methods',
    `${head}paths:\n  /{a}: { get: { ${parameter('a')}, ${ok} } }\n  /{b}: { put: { ${parameter('b')}, ${ok} } }\n`,
    [],
  ],
  [
    'references that expand to billions of values',
    `${head}paths:\n  /a: { get: { ${ok} } }\ncomponents:\n  schemas:\n    S0: { type: string }\n${Array.from(
      { length: 40 },
      (_, n) =>
        `    S${n + 1}: { type: array, prefixItems: [{ $ref: '#/components/schemas/S${n}' }, { $ref: '#/components/schemas/S${n}' }] }\n`,
    ).join('')}`,
    [],
  ],
  [
    'an unknown type',
    withSchema('{ type: strin }'),
    [
      'a.yaml:7:16: components.schemas.A.type: expected one of string, number, integer, boolean, array, object, null, found "strin"; did you mean string?',
    ],
  ],
  [
    'required as in OpenAPI 2',
    withSchema('{ properties: { b: { required: true } } }'),
    ['a.yaml:7:39: components.schemas.A.properties.b.required: expected a list of names, found true'],
  ],
  [
    'an invalid pattern',
    withSchema('{ pattern: "(" }'),
    ['a.yaml:7:19: components.schemas.A.pattern: expected a regular expression, found "("'],
  ],
  [
    'a limit that is not a number',
    withSchema('{ minimum: one }'),
    ['a.yaml:7:19: components.schemas.A.minimum: expected a number, found "one"'],
  ],
  [
    'a schema that is not a map',
    withSchema('{ allOf: [3] }'),
    [
      'a.yaml:7:18: components.schemas.A.allOf[0]: expected a schema, a map such as { type: string }, found 3',
    ],
  ],
  [
    'a reference to nothing',
    withSchema('{ $ref: "#/components/schemas/B" }'),
    ['a.yaml:7:16: components.schemas.A.$ref: "#/components/schemas/B" leads nowhere'],
  ],
  [
    'a reference to the network',
    withSchema('{ $ref: "https://pets.example/a.yaml" }'),
    [
      'a.yaml:7:16: components.schemas.A.$ref: pet-mock downloads no files: save a copy of https://pets.example/a.yaml beside this file',
    ],
  ],
  [
    'a reference to a missing file',
    withSchema('{ $ref: "b.yaml" }'),
    [/^a\.yaml:7:16: components\.schemas\.A\.\$ref: there is no file b\.yaml in /],
  ],
  [
    'a reference as long as a page',
    withSchema(`{ $ref: "${'b'.repeat(20_000)}" }`),
    [/^a\.yaml:7:16: components\.schemas\.A\.\$ref: there is no file b{900,1000}…$/],
  ],
])('%s', async (_what, text, complaints) => {
  const found = await complaintsOf({ 'a.yaml': text })
  expect(found).toEqual(
    complaints.map(complaint =>
      typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
    ),
  )
})

it('lists the mistakes of every file with their places, and each one once', async () => {
  const texts = {
    'a.yaml': withSchema('{ $ref: "b.yaml#/A" }').replace('{ get:', '{ $ref: "c.yaml" }\n  /b: { get:'),
    'b.yaml': 'A: { type: strin, items: { $ref: "#/B" } }\n',
    'c.yaml': 'get: [',
  }
  expect(await complaintsOf(texts)).toEqual([
    'a.yaml:4:15: paths./a.$ref: c.yaml cannot be read',
    'c.yaml:1:6: this [ is never closed',
    expect.stringMatching(/^b\.yaml:1:12: A\.type: expected one of /),
    'b.yaml:1:34: A.items.$ref: "#/B" leads nowhere',
  ])
})

it('reads a description in several files', async () => {
  const texts = {
    'a.yaml': `${head}paths:\n  /a: { $ref: parts/b.yaml#/a }\n`,
    'parts/b.yaml': `a:\n  get:\n    responses: { "200": { description: a, content: { application/json: { schema: { $ref: "./c.json" } } } } }\n`,
    'parts/c.json':
      '{ "type": "object", "properties": { "self": { "$ref": "#" }, "n": { "$ref": "../a.yaml#/x-n" } } }',
  }
  expect(
    await complaintsOf({ ...texts, 'a.yaml': `${texts['a.yaml']}x-n: { type: integer, maximum: 1 }\n` }),
  ).toEqual([])
})

it.each([
  ['a circle of references', withSchema('{ $ref: "#/components/schemas/A" }')],
  [
    'a schema within itself',
    withSchema('{ type: object, properties: { a: { $ref: "#/components/schemas/A" } } }'),
  ],
  ['extension fields', `${get(`x-mine: 1, ${ok}`)}x-other: [1]\n`],
  [
    'a property named like a keyword',
    withSchema('{ properties: { examples: { type: string }, $ref: { type: string } } }'),
  ],
])('accepts %s', async (_what, text) => {
  expect(await complaintsOf({ 'a.yaml': text })).toEqual([])
})
