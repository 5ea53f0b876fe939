import { MessageView } from '../../../src/dashboard/design/message-parts.tsx'
import { GateRow, QuotaLines, RequestPage, Why } from '../../../src/dashboard/parts/request/request-page.tsx'
import { toRow } from '../../../src/dashboard/traffic/rows.ts'
import { planeGates } from '../../../src/generated/plane-operations.ts'
import { exampleRequest } from './example-request.ts'
import { type Answers, fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const statuses: Readonly<Record<string, number>> = {
  operation: 200,
  preflight: 204,
  failure: 500,
  limit: 429,
}
const { explanation, limit, request } = exampleRequest

const conduct: NonNullable<Answers['getConduct']> = {
  title: 'Conduct',
  judge: 'conduct',
  checks: [],
  facts: [],
  notes: [],
  unjudged: [],
  flights: [],
  calls: 17,
  evicted: 0,
  usage: [],
  expected: [],
  findings: [
    {
      title: '3 calls came before the limit was over',
      id: 'called-while-limited',
      severity: 'warning',
      remedy: 'Wait for the time in Retry-After.',
      source: 'RFC 9110, section 10.2.3',
      count: 3,
      evidence: [{ what: 'POST /v1/pets', detail: 'It came 56 s too early.', request: 17 }],
    },
  ],
}

const page = (answers: Answers, id = 17) => (
  <RequestPage app={fixtureApp(answers, 17)} name={`${id}`} rows={[toRow(exampleRequest)]} />
)

export const all: readonly ComponentStates[] = [
  {
    component: 'RequestPage',
    states: {
      'a refused call': () => page({ getRequest: exampleRequest, getConduct: conduct }),
      'a call that is gone': () => page({}, 3),
    },
  },
  {
    component: 'GateRow',
    states: Object.fromEntries(
      planeGates.map(gate => [gate, () => <GateRow gate={gate} status={statuses[gate] ?? 403} />]),
    ),
  },
  {
    component: 'Why',
    states: {
      'with a mismatch': () => <Why explanation={explanation} />,
      'without reasons': () => (
        <Why explanation={{ ...explanation, sentences: ['It passed.'], mismatches: [] }} />
      ),
    },
  },
  {
    component: 'QuotaLines',
    states: {
      counted: () => <QuotaLines limit={limit} plan="free" at={exampleRequest.at} />,
      'not counted': () => <QuotaLines limit={null} plan={null} at={exampleRequest.at} />,
    },
  },
  {
    component: 'MessageView',
    states: {
      'with a body': () => <MessageView title="Request" first="POST /v1/pets" message={request} />,
      'without a body': () => (
        <MessageView title="Response" first="204" message={{ headers: {}, body: null, cutFrom: null }} />
      ),
      'a body that was cut': () => (
        <MessageView title="Request" first="POST /v1/pets" message={{ ...request, cutFrom: 500_000 }} />
      ),
    },
  },
]
