import type { Flight } from '../../../src/judges/report/flight.ts'
import { reportOfAll } from '../../support/reports.ts'

const [all] = reportOfAll().flights
if (all === undefined) throw new Error('There is no flight.')

/** Charts of every kind. */
export const flights = {
  all,
  'a clock that stands': {
    title: 'a clock that stands',
    calls: Array.from({ length: 9 }, (_, index) => ({
      at: index === 8 ? 1_000 : 0,
      status: index < 4 ? 200 : 429,
      left: { minute: [Math.max(0, 3 - index), 4], day: [0, 0] },
    })),
    spans: [
      { kind: 'wait', from: 1_000, to: 9_000 },
      { kind: 'ban', from: 0, to: 5_000 },
    ],
    omitted: 0,
  },
  'one call': {
    title: 'one call',
    calls: [{ at: 5_250, status: 200, left: { minute: [30, 60], day: [0, 1] } }],
    spans: [],
    omitted: 0,
  },
  'two days': {
    title: 'two days',
    calls: [
      { at: 0, status: 404, left: null },
      { at: 172_800_000, status: 200, count: 3, left: null },
    ],
    spans: [
      { kind: 'wait', from: 0, to: 86_400_000 },
      { kind: 'ban', from: 86_400_000, to: 172_800_000 },
    ],
    omitted: 0,
  },
} as const satisfies Readonly<Record<string, Flight>>
