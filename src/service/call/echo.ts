/** Characters of what a client or a user wrote that a message says again. */
const mostEchoed = 80

/** At most `most` characters, the last one telling that there were more. */
export function clip(text: string, most: number = mostEchoed): string {
  if (text.length <= most) return text
  const end = most - 1
  // Half of a surrogate pair is no character.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1))
  return `${text.slice(0, isHalf ? end - 1 : end)}…`
}

/** A text in quotes, as a message says it again. */
export function quote(text: string, most?: number): string {
  return JSON.stringify(clip(text, most))
}
