import type { PlaneFlight } from '../../../generated/plane-operations.ts'
import type { Flight } from '../../../judges/report/flight.ts'
import type { App } from '../../app/app.ts'
import { Absent, Problem } from '../../design/problem.tsx'
import { useAnswer } from '../../state/live.ts'
import { BrushedFlight } from './brushed-flight.tsx'

import './flight.css'

export function View({ app }: { readonly app: App }) {
  const query = { sandbox: app.sandbox.value, flights: 'true' } as const
  const { value: report, error } = useAnswer(app, 'getConduct', { query })
  if (report === undefined) return <Absent title="No picture" error={error} />
  return (
    <div class="page columns flights">
      <h1>Flight</h1>
      <p class="muted">
        Calls over time, and the quota left. Drag across a chart, or use the two sliders, to choose requests.
      </p>
      {report.flights.length === 0 && <Problem title="No call came yet" />}
      {report.flights.map((flight, index) => (
        <BrushedFlight key={flight.title} app={app} flight={readFlight(flight)} id={`flight-${index}`} />
      ))}
    </div>
  )
}

/** The data of a picture as the plane sends it: a pair is a list there. */
function readFlight({ calls, ...flight }: PlaneFlight): Flight {
  const pair = ([remaining = 0, limit = 0]: readonly number[]) => [remaining, limit] as const
  const read = ({ left, ...call }: PlaneFlight['calls'][number]) => {
    return { ...call, left: left && { minute: pair(left.minute), day: pair(left.day) } }
  }
  return { ...flight, calls: calls.map(read) }
}
