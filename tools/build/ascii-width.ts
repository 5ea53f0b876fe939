/** Stands in the bundle for `string-width`, by which yargs lays out its help. Our help needs no tables for other scripts. */
export default function asciiWidth(text: string): number {
  return text.length
}
