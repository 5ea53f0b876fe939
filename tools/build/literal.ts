/** A plain value as TypeScript: JSON, with bigints and what is `undefined`. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'undefined' : JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.every(item => typeof item !== 'object'))
      return `[${value.map(item => literal(item)).join(', ')}]`
    return `[\n${value.map(item => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`
  }
  const fields = Object.entries(value).map(
    ([name, field]) => `${inner}${JSON.stringify(name)}: ${literal(field, inner)},\n`,
  )
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`
}
