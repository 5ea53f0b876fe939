/** How many characters of foreign text a message repeats. */
const mostEchoed = 80

/** Cuts a text to `most` characters, with `…` as the last one. */
export function clip(text: string, most: number = mostEchoed): string {
  if (text.length <= most) return text
  const end = most - 1
  // Do not cut a surrogate pair in half.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1))
  return `${text.slice(0, isHalf ? end - 1 : end)}…`
}

export function quote(text: string, most?: number): string {
  return JSON.stringify(clip(text, most))
}
