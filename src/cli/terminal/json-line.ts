/** One line of JSON. It also escapes the C1 controls, which JSON allows and terminals interpret. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
