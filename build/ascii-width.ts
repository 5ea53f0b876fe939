/**
 * Stands in the bundle for `string-width`, by which yargs lays out its help. Ours is ASCII, and the tables for other
 * scripts would be a fifth of the time to start.
 */
export default function asciiWidth(text: string): number {
  return text.length
}
