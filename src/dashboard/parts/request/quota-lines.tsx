import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'
import { momentAfter } from '../../design/format.ts'
import { Meter } from '../../design/meter.tsx'

export interface QuotaLinesProps {
  readonly limit: PlaneExplainedRequest['limit']
  readonly plan: string | null
  /** The instant of the call. */
  readonly at: string
}

/** Both windows of the key after the call. */
export function QuotaLines({ limit, plan, at }: QuotaLinesProps) {
  if (limit === null) return <p class="quota-none muted">The call used no quota and has no windows.</p>
  return (
    <div class="quota-lines">
      {(['minute', 'day'] as const).map(name => {
        const { remaining, limit: most, resetsAt } = limit[name]
        return (
          <div key={name}>
            <span>
              <strong>{remaining.toLocaleString('en')}</strong> of {most.toLocaleString('en')} left this{' '}
              {name}
              {plan !== null && ` on ${plan}`}
            </span>
            <Meter label={`Left this ${name}`} value={remaining} max={most} />
            <span class="muted">
              {resetsAt === null ? 'opens with the next call' : `resets ${momentAfter(at, resetsAt)}`}
            </span>
          </div>
        )
      })}
    </div>
  )
}
