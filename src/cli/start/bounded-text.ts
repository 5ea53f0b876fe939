/** A body longer than the reader accepts. */
export class TooLong extends Error {
  constructor(most: number) {
    super(`the answer is longer than ${most / 1_048_576} MiB`)
  }
}

/** Reads a body as text. Rejects with TooLong as soon as it has more than `most` bytes, decompressed. */
export async function readBoundedText({ body }: Response, most: number): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > most) {
      await reader.cancel().catch(() => {})
      throw new TooLong(most)
    }
    text += decoder.decode(value, { stream: true })
  }
}
