/** The syntax of an API key: a token68 (RFC 9110, section 11.2), since clients send it as one. */
export const keyTextPattern = /^[A-Za-z0-9._~+/-]+=*$/

export function isKeyText(text: string): boolean {
  return keyTextPattern.test(text)
}
