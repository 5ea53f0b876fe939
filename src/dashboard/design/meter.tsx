/** A bar of what is left. It warns below a quarter. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const most = Math.max(1, max)
  return (
    <meter
      class="meter"
      aria-label={label}
      value={Math.min(most, value)}
      max={most}
      data-tone={value <= 0 ? 'bad' : value < most / 4 ? 'warn' : 'good'}
    />
  )
}
