import { fixtureApp } from '../../fixtures/fixture-app.ts'
import type { ComponentStates } from '../../fixtures/states.ts'
import type { ApiDocument, Operation } from '../../openapi/operation.ts'
import { OperationDocs } from './operation-docs.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { StartPage } from './start-page.tsx'

const root = {
  components: {
    schemas: { Toy: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Toy' } } } },
  },
}
const toy = { $ref: '#/components/schemas/Toy' }

const operation: Operation = {
  id: 'renameToy',
  method: 'PUT',
  path: '/v1/toys/{toyId}',
  tag: 'toys',
  summary: '<b>Rename</b> a toy',
  about: 'Renames a `toy`.',
  isDeprecated: true,
  parameters: [
    {
      name: 'toyId',
      place: 'path',
      isRequired: true,
      about: 'The id.',
      schema: { type: 'integer', format: 'int64', minimum: 1 },
      example: 9_007_199_254_740_993n,
    },
  ],
  body: {
    type: 'application/json',
    schema: toy,
    examples: [{ name: 'A toy', value: { inner: {} } }],
    isRequired: true,
  },
  answers: [
    {
      status: '200',
      about: 'The toy.',
      headers: [],
      content: { type: 'application/json', schema: toy, examples: [] },
    },
    { status: '404', about: '`toy_not_found`', headers: [], content: undefined },
    { status: 'default', about: 'Any other error.', headers: [], content: undefined },
  ],
}
const document: ApiDocument = {
  title: 'Toys',
  version: '1.0.0',
  about: 'All **toys**.',
  tags: [{ name: 'toys', about: 'Things to play with.' }],
  operations: [operation],
  root,
}

export const all: readonly ComponentStates[] = [
  {
    component: 'OperationDocs',
    states: {
      'of the API': () => (
        <OperationDocs app={fixtureApp({})} document={document} operation={operation} isAdmin={false} />
      ),
      'of the plane': () => (
        <OperationDocs app={fixtureApp({})} document={document} operation={operation} isAdmin={true} />
      ),
    },
  },
  {
    component: 'SchemaFields',
    states: {
      'a text': () => <SchemaFields root={{}} schema={{ type: 'string', description: 'A text.' }} />,
      'a list of objects': () => <SchemaFields root={root} schema={{ type: 'array', items: toy }} />,
      alternatives: () => <SchemaFields root={root} schema={{ anyOf: [toy, toy, { type: 'string' }] }} />,
      'nothing is said': () => <SchemaFields root={{}} schema={{}} />,
    },
  },
  {
    component: 'StartPage',
    states: {
      usual: () => (
        <StartPage app={fixtureApp({})} document={document} file="/openapi.json" linkTo={() => '#/docs'} />
      ),
    },
  },
]
