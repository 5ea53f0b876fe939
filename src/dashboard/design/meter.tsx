interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
}

/** It warns below a quarter. */
function toneOf(value: number, most: number) {
  return value <= 0 ? 'bad' : value < most / 4 ? 'warn' : 'good'
}

/** A bar of what is left. */
export function Meter({ label, value, max }: MeterProps) {
  const most = Math.max(1, max)
  return (
    <meter
      class="meter"
      aria-label={label}
      value={Math.min(most, value)}
      max={most}
      data-tone={toneOf(value, most)}
    />
  )
}

/** The same as a ring, around the number. */
export function Ring({ label, value, max }: MeterProps) {
  const most = Math.max(1, max)
  const share = Math.min(1, Math.max(0, value / most))
  return (
    <div class="ring" data-tone={toneOf(value, most)} role="img" aria-label={label}>
      <svg viewBox="0 0 96 96" aria-hidden="true">
        <circle cx={48} cy={48} r={42} />
        {share > 0 && (
          <circle
            class="left"
            cx={48}
            cy={48}
            r={42}
            pathLength={100}
            stroke-dasharray={`${share * 100} 100`}
          />
        )}
      </svg>
      <strong aria-hidden="true">{value.toLocaleString('en')}</strong>
      <span aria-hidden="true">of {max.toLocaleString('en')}</span>
    </div>
  )
}
