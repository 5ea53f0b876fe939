export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}

/** A filter with known values. The empty one means any. */
export function Choice({ label, value, values, onChange }: ChoiceProps) {
  const all = value === '' || values.includes(value) ? values : [value, ...values]
  return (
    <select
      class="choice"
      aria-label={label}
      data-chosen={value !== ''}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    >
      <option value="">{label}</option>
      {all.map(one => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
}
