export interface KeyChoiceProps {
  readonly keys: readonly string[]
  /** Empty: none. */
  readonly value: string
  readonly onChange: (key: string) => void
}

/** Whose key the call has. */
export function KeyChoice({ keys, value, onChange }: KeyChoiceProps) {
  return (
    <label class="try-field">
      <span>API key</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {keys.map(key => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
        <option value="">none</option>
      </select>
    </label>
  )
}
