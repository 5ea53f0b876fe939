import { fixtureApp } from '../../fixtures/fixture-app.ts'
import type { ComponentStates } from '../../fixtures/states.ts'
import type { Operation, Parameter } from '../../openapi/operation.ts'
import { AnswerView } from './answer-view.tsx'
import { BodyField } from './body-field.tsx'
import { KeyChoice } from './key-choice.tsx'
import { OperationForm } from './operation-form.tsx'
import { ParameterField } from './parameter-field.tsx'
import type { Sent } from './send-call.ts'

const act = () => {}

const parameter = (over: Partial<Parameter>): Parameter => ({
  name: 'limit',
  place: 'query',
  isRequired: false,
  about: 'The maximum number of animals returned.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  example: 20,
  ...over,
})
const field =
  (over: Partial<Parameter>, value = '') =>
  () => <ParameterField parameter={parameter(over)} value={value} onChange={act} />

const content = {
  type: 'application/json',
  schema: { type: 'object' },
  examples: [
    { name: 'Every field', value: { name: '<b>Rex</b>', categoryId: 1 } },
    { name: 'A long name of an example', value: {} },
  ],
}
const operation: Operation = {
  id: 'renameToy',
  method: 'PUT',
  path: '/v1/toys/{toyId}',
  tag: 'toys',
  summary: 'Rename a toy',
  about: 'Renames a **toy**.\n\n- One\n- Two\n\n## More\n\n| a | b |\n| - | - |\n| `1` | 2 |',
  isDeprecated: true,
  parameters: [parameter({ name: 'toyId', place: 'path', isRequired: true })],
  body: { ...content, isRequired: true },
  answers: [],
}
const document = { title: '', version: '', about: '', tags: [], operations: [operation], root: {} }

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
    component: 'OperationForm',
    states: {
      'a deprecated operation with a body': () => (
        <OperationForm app={fixtureApp({})} document={document} operation={operation} keys={['demo-free']} />
      ),
    },
  },
  {
    component: 'ParameterField',
    states: {
      number: field({}),
      'required text': field(
        { name: 'petId', place: 'path', isRequired: true, schema: { type: 'string' } },
        '17',
      ),
      choice: field({ name: 'status', schema: { type: 'string', enum: ['available', 'sold'] } }, 'sold'),
      flag: field({ name: 'isSold', schema: { type: 'boolean' } }),
      'a long name': field({ name: 'x-'.repeat(60), place: 'header', about: '<b>Text</b> of `somebody`.' }),
    },
  },
  {
    component: 'BodyField',
    states: {
      JSON: () => <BodyField content={content} value='{"name":"Rex"}' onChange={act} />,
      'no JSON': () => <BodyField content={content} value='{"name":' onChange={act} />,
    },
  },
  {
    component: 'KeyChoice',
    states: {
      one: () => <KeyChoice keys={['demo-free', 'demo-pro']} value="demo-pro" onChange={act} />,
      none: () => <KeyChoice keys={['demo-free']} value="" onChange={act} />,
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
]
