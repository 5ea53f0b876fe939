/** A value as one line of JSON in which nothing can stir a terminal: JSON itself would let C1 controls through. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
