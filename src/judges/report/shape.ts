import { attributes, escapeMarkup } from './markup.ts'

/** An element of a picture. A report writes it as markup; a page builds it as an element. */
export interface Shape {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (Shape | string)[]
}

export function shape(
  tag: string,
  attributes: Shape['attributes'] = {},
  ...children: Shape['children']
): Shape {
  return { tag, attributes, children }
}

export function writeShape({ tag, attributes: given, children }: Shape): string {
  const start = `<${tag}${attributes(given)}`
  if (children.length === 0) return `${start}/>`
  const inner = children.map(child => (typeof child === 'string' ? escapeMarkup(child) : writeShape(child)))
  return `${start}>${inner.join('')}</${tag}>`
}
