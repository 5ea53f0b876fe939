import type { App } from '../../app/app.ts'
import { useLive } from '../../state/live.ts'

/** The keys of the server, that of the situation first. Undefined until they are known. */
export function useKeys({ plane, connection, sandbox }: App): readonly string[] | undefined {
  const query = { sandbox: sandbox.value }
  const live = useLive(connection, async () => {
    const [{ keys }, { key: featured }] = await Promise.all([
      plane.call('listKeys', { query }),
      plane.call('getScenario', { query }),
    ])
    const names = keys.map(({ key }) => key)
    return featured !== undefined && names.includes(featured)
      ? [featured, ...names.filter(name => name !== featured)]
      : names
  }, [sandbox.value])
  return live.value.value
}

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
