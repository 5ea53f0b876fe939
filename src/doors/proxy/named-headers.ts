import { pairsOf } from './message-headers.ts'

/** Headers by capitalised name, such as `Retry-After`. Repeated headers become one value. */
export function namedHeaders(headers: readonly string[]): Readonly<Record<string, string>> {
  const named: Record<string, string> = {}
  for (const [sent, value] of pairsOf(headers)) {
    const name = sent.toLowerCase().replace(/(?<![a-z0-9])[a-z]/g, letter => letter.toUpperCase())
    named[name] = name in named ? `${named[name]}, ${value}` : value
  }
  return named
}
