/** What an API key may look like: a token68 (RFC 9110, section 11.2), or no client could send it. */
export const keyTextPattern = /^[A-Za-z0-9._~+/-]+=*$/

export function isKeyText(text: string): boolean {
  return keyTextPattern.test(text)
}
