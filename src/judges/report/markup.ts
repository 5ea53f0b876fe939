import { escapeDirections } from '../../base/text/invisible.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for XML and HTML, between tags or in quotes. Characters that XML 1.0 forbids become U+FFFD. */
export function escapeMarkup(text: string): string {
  return escapeDirections(text)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, character => entities[character] ?? character)
}

/** The attributes of a tag, each after a space. Undefined ones are left out. */
export function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapeMarkup(`${value}`)}"`]))
    .join('')
}

/** An element of a picture. A report writes it as markup; a page builds it as an element. */
export interface Shape {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (Shape | string)[]
}

export function shape(tag: string, attributes: Shape['attributes'], ...children: Shape['children']): Shape {
  return { tag, attributes, children }
}

export function writeShape({ tag, attributes: given, children }: Shape): string {
  const start = `<${tag}${attributes(given)}`
  if (children.length === 0) return `${start}/>`
  const inner = children.map(child => (typeof child === 'string' ? escapeMarkup(child) : writeShape(child)))
  return `${start}>${inner.join('')}</${tag}>`
}
