import { copyText } from '../../base/text/copy-text.ts'

/** How much is kept of one header and of all headers of a call, in UTF-16 code units. */
export const keptHeader = 2_048
export const keptHeaders = 16_384

/** What a text costs besides its characters, in bytes. */
const textOverhead = 24

/** An estimate of the bytes that headers take. */
export function sizeOfHeaders(headers: readonly string[]): number {
  let size = 0
  for (const text of headers) size += textOverhead + text.length
  return size
}

/** The name of the header that says how many headers were left out. */
const cutMark = 'x-pet-mock-cut'

/**
 * Cuts long headers, and leaves out those beyond the limit of a call. Each cut has a mark that people see. Returns the
 * same list if nothing is too long.
 */
export function cutHeaders(headers: readonly string[]): readonly string[] {
  if (!areTooLong(headers)) return headers
  const kept: string[] = []
  let length = 0
  for (let index = 0; index < headers.length; index += 2) {
    const pair = [cutText(headers[index] ?? ''), cutText(headers[index + 1] ?? '')]
    length += pair.join('').length
    if (length > keptHeaders) {
      kept.push(cutMark, `[${(headers.length - index) / 2} more headers are not kept]`)
      break
    }
    kept.push(...pair)
  }
  return kept
}

function areTooLong(headers: readonly string[]): boolean {
  let length = 0
  for (const text of headers) {
    if (text.length > keptHeader) return true
    length += text.length
  }
  return length > keptHeaders
}

function cutText(text: string): string {
  if (text.length <= keptHeader) return text
  return copyText(`${text.slice(0, keptHeader)} [cut, ${text.length} characters]`)
}
