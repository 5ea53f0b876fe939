import { Badge, severityTones } from '../../design/badge.tsx'
import { useLoad } from '../../state/load.ts'
import type { RequestProps } from './request-actions.tsx'

/** The findings about the client that this call is evidence of. */
export function Findings({ app: { plane }, request: { id, sandbox, breaches } }: RequestProps) {
  const { value } = useLoad(
    () => plane.call('getConduct', { query: { sandbox, request: id } }),
    [id, sandbox],
  )
  const findings = value?.findings ?? []
  if (findings.length === 0 && breaches.length === 0) return null
  return (
    <div class="findings">
      <h2>Evidence of</h2>
      {findings.map(({ id, severity, title, evidence, remedy }) => (
        <div key={id} class="finding">
          <Badge tone={severityTones[severity]}>{severity}</Badge> <strong>{title}</strong>
          <p>{evidence[0]?.detail}</p>
          <p class="muted">{remedy}</p>
        </div>
      ))}
      {breaches.map(({ side, part, place, message }) => (
        <div key={`${side} ${part} ${place} ${message}`} class="finding">
          <Badge tone="bad">contract</Badge> <strong>The {side} breaks the contract</strong>
          <p>
            {part}
            {place === '' ? '' : ` ${place}`}: {message}
          </p>
        </div>
      ))}
    </div>
  )
}
