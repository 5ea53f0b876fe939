import { isObject } from '../../../base/json/is-object.ts'

/** As much of JSON Schema as a form needs. */
export interface FormSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, FormSchema>>
  readonly required?: readonly string[]
}

export type FormValue = Readonly<Record<string, unknown>>

/** What kind of control a schema gets. `json`: a value that a text holds, as JSON or as it is. */
export function controlOf({ type, enum: values, properties }: FormSchema) {
  if (properties !== undefined) return 'group'
  if (values !== undefined) return 'choice'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'string' ? 'text' : 'json'
}

/** A value with one field changed. Undefined, or an empty group, removes the field. */
export function withField(value: FormValue, name: string, field: unknown): FormValue {
  const others = Object.entries(value).filter(([other]) => other !== name)
  const isEmpty = field === undefined || (isObject(field) && Object.keys(field).length === 0)
  return Object.fromEntries(isEmpty ? others : [...others, [name, field]])
}

export function groupIn(value: FormValue, name: string): FormValue {
  const field = value[name]
  return isObject(field) ? field : {}
}

/** What somebody typed: JSON, or a text that is none, such as `30s`. */
export function readTyped(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function showTyped(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
