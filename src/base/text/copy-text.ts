/** Copies a text. Node keeps the whole of a long text in memory while a part of it is kept; a copy frees it. */
export function copyText(text: string): string {
  return String(JSON.parse(JSON.stringify(text)))
}
