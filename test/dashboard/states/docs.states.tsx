import type { ApiDocument, Operation, Parameter } from '../../../src/dashboard/openapi/read-document.ts'
import { AnswerView, type Sent } from '../../../src/dashboard/parts/docs/answer-view.tsx'
import { StartPage } from '../../../src/dashboard/parts/docs/docs.tsx'
import { OperationDocs } from '../../../src/dashboard/parts/docs/operation-docs.tsx'
import { SchemaFields } from '../../../src/dashboard/parts/docs/reference.tsx'
import { exampleKey } from './example-key.ts'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const root = {
  components: {
    schemas: { Toy: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Toy' } } } },
  },
}
const toy = { $ref: '#/components/schemas/Toy' }

const parameter = (over: Partial<Parameter>): Parameter => ({
  name: 'limit',
  place: 'query',
  isRequired: false,
  about: 'The maximum number of animals returned.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  example: 9_007_199_254_740_993n,
  ...over,
})

const operation: Operation = {
  id: 'renameToy',
  method: 'PUT',
  path: '/v1/toys/{toyId}',
  tag: 'toys',
  summary: '<b>Rename</b> a toy',
  about: 'Renames a **toy**.\n\n- One\n- Two\n\n## More\n\n| a | b |\n| - | - |\n| `1` | 2 |',
  isDeprecated: true,
  parameters: [
    parameter({
      name: 'toyId',
      place: 'path',
      isRequired: true,
      schema: { type: 'integer', format: 'int64' },
    }),
    parameter({}),
    parameter({ name: 'status', schema: { type: 'string', enum: ['available', 'sold'] } }),
    parameter({ name: 'isSold', schema: { type: 'boolean' } }),
    parameter({ name: 'x-'.repeat(60), place: 'header', about: '<b>Text</b> of `somebody`.' }),
  ],
  body: {
    type: 'application/json',
    schema: toy,
    examples: [
      { name: 'A toy', value: { inner: {}, name: '<b>Rex</b>' } },
      { name: 'A long name of an example', value: {} },
    ],
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

const sent: Sent = {
  answer: {
    status: 429,
    headers: { 'retry-after': '56', 'x-markup': '<script>alert(1)</script>' },
    body: '{"code":"rate_limit_exceeded","message":"<img src=x onerror=alert(1)>"}',
  },
  tookMs: 4,
  sandbox: 'default',
  id: 17,
}
const answer = (over: Partial<Sent>) => () => <AnswerView app={fixtureApp({})} sent={{ ...sent, ...over }} />

export const all: readonly ComponentStates[] = [
  {
    component: 'OperationDocs',
    states: {
      'of the API': () => (
        <OperationDocs app={fixtureApp({})} document={document} operation={operation} keys={[exampleKey]} />
      ),
      'of the plane': () => (
        <OperationDocs app={fixtureApp({})} document={document} operation={operation} keys={undefined} />
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
    component: 'AnswerView',
    states: {
      refused: answer({}),
      'without a body and a record': answer({
        answer: { status: 204, headers: {}, body: '' },
        id: undefined,
      }),
      broken: answer({ answer: undefined }),
      long: answer({ answer: { status: 200, headers: {}, body: 'x'.repeat(100_001) } }),
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
