/** The word for standard input where a command takes a file. */
export const standardInput = '-'

/** Reads standard input. Longer input ends a chunk after `most` bytes: the caller sees that it is too long. */
export async function readStandardInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) break
  }
  return Buffer.concat(chunks)
}
