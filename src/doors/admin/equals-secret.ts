/**
 * Whether a text is the secret one. It takes as long for any text of a length, however much of it is right, so that
 * nobody can find the secret out letter by letter.
 */
export function equalsSecret(text: string, secret: string): boolean {
  let difference = text.length ^ secret.length
  for (let index = 0; index < text.length; index += 1) {
    difference |= text.charCodeAt(index) ^ secret.charCodeAt(index % secret.length)
  }
  return difference === 0
}
