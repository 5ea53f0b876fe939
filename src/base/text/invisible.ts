/**
 * Escapes characters that nobody sees as `\x1b` or `\u{202e}`. An escape code in a URL must not move the cursor, a newline must not
 * forge a line, and a direction mark must not turn a text around.
 */
export function escapeInvisible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Controls that JSON, XML and HTML allow, and that terminals and pages interpret: C1, line separators and directions. */
const interpreted = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Escapes interpreted controls in a text for a page or a document, where other characters are safe. */
export function escapeDirections(text: string): string {
  return text.replace(interpreted, escapeInvisible)
}

/** Escapes them in JSON, whose value stays the same. */
export function escapeInJson(json: string): string {
  return json.replace(interpreted, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
