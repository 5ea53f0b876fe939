/** Resolves a path that a file names, relative to that file. */
export function resolveFrom(file: string, named: string): string {
  if (isAbsolute(named)) return named
  const above = file
    .split(/(?<=[/\\])/)
    .slice(0, -1)
    .join('')
  const separator = above.includes('\\') ? '\\' : '/'
  const parts: string[] = []
  for (const part of (above + named).split(/[/\\]/)) {
    if (part === '.') continue
    const last = parts.at(-1)
    if (part === '..' && last !== undefined && last !== '' && last !== '..') parts.pop()
    else parts.push(part)
  }
  return parts.join(separator)
}

function isAbsolute(path: string): boolean {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(path)
}
