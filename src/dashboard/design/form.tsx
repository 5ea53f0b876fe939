import type { ComponentProps } from 'preact'
import { useRef } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { Icon } from './basics.tsx'

/** A form that this page sends, and not the browser. */
export function Form(props: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }) {
  const { onSubmit, ...others } = props
  return (
    <form
      {...others}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

export function Submit(props: ComponentProps<'button'>) {
  return <button type="submit" class="primary" {...props} />
}

/** Why the server refused a form; empty: it did not. */
export function Mistake({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p class="mistake" role="alert">
      {text}
    </p>
  )
}

/** A control that shows a value and changes it. */
export interface Field<T> {
  readonly value: T
  readonly onChange: (value: T) => void
}

/** Options whose texts are their values. */
export function Options({ of }: { readonly of: readonly string[] }) {
  return of.map(one => (
    <option key={one} value={one}>
      {one}
    </option>
  ))
}

/** A filter with known values. The empty one means any. */
export function Choice(props: Field<string> & { label: string; values: readonly string[] }) {
  const { label, value, values, onChange } = props
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
      <Options of={all} />
    </select>
  )
}

/** A search by name. */
export function FindField({ label, value, onChange }: Field<string> & { label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={event => onChange(event.currentTarget.value)}
    />
  )
}

/** A search whose words are in the URL. `/` leads to it, and Escape leaves it if `hasEscape`. */
export function SearchField(props: {
  app: Pick<App, 'places' | 'shortcuts'>
  label: string
  placeholder?: string
  hasEscape?: boolean
}) {
  const { app, label, placeholder = 'Search', hasEscape = true } = props
  const { places, shortcuts } = app
  const search = useRef<HTMLInputElement>(null)
  useShortcuts(shortcuts, [{ key: '/', about: 'Search', act: () => search.current?.focus() }])
  return (
    <label class="search">
      <Icon name="search" />
      <span class="visually-hidden">{label}</span>
      <input
        ref={search}
        type="search"
        placeholder={placeholder}
        value={places.at.value.query.q ?? ''}
        onInput={event => places.filter({ q: event.currentTarget.value })}
        onKeyDown={event => hasEscape && event.key === 'Escape' && event.currentTarget.blur()}
      />
    </label>
  )
}
