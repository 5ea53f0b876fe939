/** Headers by name, each part of which begins with a capital, whatever its sender wrote; several of one name are one value. */
export function namedHeaders(headers: readonly string[]): Readonly<Record<string, string>> {
  const named: Record<string, string> = {}
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '')
      .toLowerCase()
      .replace(/(?<![a-z0-9])[a-z]/g, letter => letter.toUpperCase())
    const value = headers[index + 1] ?? ''
    named[name] = name in named ? `${named[name]}, ${value}` : value
  }
  return named
}
