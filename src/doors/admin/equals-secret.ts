/** Compares in constant time, so that nobody can guess a secret letter by letter. */
export function equalsSecret(text: string, secret: string): boolean {
  let difference = text.length ^ secret.length
  for (let index = 0; index < text.length; index += 1) {
    difference |= text.charCodeAt(index) ^ secret.charCodeAt(index % secret.length)
  }
  return difference === 0
}
