import type { ComponentProps } from 'preact'

export function Button({ main, ...others }: ComponentProps<'button'> & { readonly main?: boolean }) {
  return <button type="button" class={main ? 'main' : ''} {...others} />
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly titleOf?: (option: string) => string | null | undefined
  readonly onChoose: (name: string) => unknown
}

export function Choice({ label, value, options, titleOf, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(option => (
          <option key={option} value={option}>
            {titleOf?.(option) ?? option}
          </option>
        ))}
      </select>
    </label>
  )
}
