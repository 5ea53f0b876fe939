import type { CallToCopy } from '../../copy/copy-forms.ts'
import type { Operation, Parameter } from '../../openapi/read-document.ts'
import { showValue, typesOf } from '../../openapi/schema.ts'

export interface Typed {
  /** By place and name of the parameter. Missing or empty: it is not sent. */
  readonly values: Readonly<Record<string, string>>
  readonly body: string
  /** The API key; empty: none. */
  readonly key: string
}

export function fieldOf({ place, name }: Parameter): string {
  return `${place} ${name}`
}

/** The call that goes out. Values go as they were typed, so that wrong ones can be tried, too. */
export function callOf(
  operation: Operation,
  { values, body }: Pick<Typed, 'values' | 'body'>,
  { origin, authorization }: Pick<CallToCopy, 'origin' | 'authorization'>,
): CallToCopy {
  const { method, path, parameters, body: content } = operation
  const typedFor = (parameter: Parameter) => values[fieldOf(parameter)] ?? ''
  const at = (place: string) => parameters.filter(one => one.place === place && typedFor(one) !== '')
  const filled = at('path').reduce(
    (text, one) => text.replaceAll(`{${one.name}}`, () => encodeURIComponent(typedFor(one))),
    path,
  )
  // A list is sent as its values, one parameter each.
  const query = at('query').flatMap(one => {
    const isList = typesOf(one.schema).includes('array')
    const values = isList
      ? typedFor(one)
          .split(',')
          .map(part => part.trim())
      : [typedFor(one)]
    return values.map(value => `${encodeURIComponent(one.name)}=${encodeURIComponent(value)}`)
  })
  const headers = at('header').map(one => [one.name, typedFor(one)] as const)
  const hasBody = content !== undefined && body !== '' && method !== 'GET' && method !== 'HEAD'
  return {
    origin,
    method,
    target: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: [...(hasBody ? [['Content-Type', content.type] as const] : []), ...headers],
    authorization,
    body: hasBody ? body : null,
    cutFrom: null,
  }
}

/** What the description gives as examples: what is required, and nothing more. */
export function requiredValues({ parameters }: Operation): Typed['values'] {
  return Object.fromEntries(
    parameters.flatMap(one =>
      one.isRequired && one.example !== undefined ? [[fieldOf(one), showValue(one.example)]] : [],
    ),
  )
}

/** The target as a browser sends it, if that differs: it resolves `.` and `..` in paths. */
export function changedTarget({ origin, target }: CallToCopy): string | undefined {
  const { href, origin: root } = new URL(origin + target)
  const sent = href.slice(root.length)
  const wanted = (origin + target).slice(root.length)
  return sent === wanted ? undefined : sent
}
