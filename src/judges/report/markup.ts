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
