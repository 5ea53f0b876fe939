import { signal } from '@preact/signals'
import { CallLine, GapLine, RequestList } from '../../../src/dashboard/parts/requests/request-list.tsx'
import { PauseButton } from '../../../src/dashboard/parts/requests/requests.tsx'
import type { Feed } from '../../../src/dashboard/traffic/feed.ts'
import { type CallRow, type Row, toRow } from '../../../src/dashboard/traffic/rows.ts'
import { exampleRequest } from './example-request.ts'
import { fixtureApp } from './fixture-app.ts'
import type { ComponentStates } from './states.ts'

const refused = toRow(exampleRequest)
const accepted: CallRow = { ...refused, id: 18, status: 200, code: null, refused: false, method: 'GET' }

function feedOf(state: {
  readonly isPaused?: boolean
  readonly waiting?: number
  readonly firstKept?: number
}): Feed {
  return {
    rows: signal<readonly Row[]>([]),
    error: signal(undefined),
    isLoaded: signal(true),
    show: () => () => {},
    isPaused: signal(state.isPaused ?? false),
    waiting: signal(state.waiting ?? 0),
    firstKept: signal(state.firstKept ?? 1),
    fill: async () => {},
    stop: () => {},
  }
}

const list = { requests: [exampleRequest], meta: { total: 1, kept: 1, capacity: 1_000, evicted: 0 } }

export const all: readonly ComponentStates[] = [
  {
    component: 'CallLine',
    states: {
      accepted: () => <CallLine row={accepted} href="#/" isOpen={false} />,
      'refused, and open': () => <CallLine row={refused} href="#/" isOpen />,
      injected: () => (
        <CallLine row={{ ...accepted, status: 503, synthetic: true }} href="#/" isOpen={false} />
      ),
      'without a key': () => (
        <CallLine
          row={{ ...accepted, key: null, plan: null, left: undefined, durationMs: null }}
          href="#/"
          isOpen={false}
        />
      ),
    },
  },
  {
    component: 'GapLine',
    states: {
      'one call': () => <GapLine gap={{ kind: 'gap', from: 3, to: 3 }} feed={feedOf({})} />,
      'many calls': () => <GapLine gap={{ kind: 'gap', from: 3, to: 4_002 }} feed={feedOf({})} />,
      'calls that the journal dropped': () => (
        <GapLine gap={{ kind: 'gap', from: 3, to: 9 }} feed={feedOf({ firstKept: 10 })} />
      ),
    },
  },
  {
    component: 'PauseButton',
    states: {
      live: () => <PauseButton feed={feedOf({})} />,
      paused: () => <PauseButton feed={feedOf({ isPaused: true })} />,
      'paused, with calls that wait': () => <PauseButton feed={feedOf({ isPaused: true, waiting: 1_234 })} />,
    },
  },
  {
    component: 'RequestList',
    states: {
      'no calls yet': () => (
        <RequestList
          app={fixtureApp({ listRequests: { ...list, requests: [] } })}
          rows={[]}
          open={undefined}
        />
      ),
      rows: () => <RequestList app={fixtureApp({ listRequests: list }, 17)} rows={[refused]} open="17" />,
    },
  },
]
